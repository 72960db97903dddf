// Reads arguments by a command's own table of options. Small on purpose: it stands in the start file.

import { nearest } from '../runtime/nearest.ts';

export type Option = { name: string; value?: string; about: string; choices?: readonly string[]; repeats?: true };

export type Args = {
  positionals: string[];
  flags: Set<string>;
  values: Map<string, string>;
  /** Every value of an option that may be given several times, in order. */
  lists: Map<string, string[]>;
};

/** What the user got wrong; printed as one line, exit code 2. Known by its name: lazy files have copies. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function isUsageError(error: unknown): boolean {
  return error instanceof Error && error.name === 'UsageError';
}

/** What a command takes beside its options: how they are written, and how few and many there may be. */
export type Positionals = { written: string; least: number; most: number };

const NONE: Positionals = { written: '', least: 0, most: 0 };

export function parseArgs(argv: readonly string[], options: readonly Option[], takes: Positionals = NONE): Args {
  const args: Args = { positionals: [], flags: new Set(), values: new Map(), lists: new Map() };
  for (let n = 0; n < argv.length; n++) {
    const word = argv[n] as string;
    if (word === '--') {
      args.positionals.push(...argv.slice(n + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      args.positionals.push(word);
      continue;
    }
    const [name, inline] = splitOption(word);
    const option = options.find((candidate) => candidate.name === name);
    if (option === undefined) throw unknownOption(word, options);
    if (option.value === undefined) {
      if (inline !== undefined) throw new UsageError(`--${name} takes no value`);
      args.flags.add(name);
      continue;
    }
    const value = inline ?? argv[++n];
    if (value === undefined || value === '')
      throw new UsageError(`--${name} needs a value: --${name} <${option.value}>`);
    if (option.choices !== undefined && !option.choices.includes(value)) {
      throw new UsageError(`--${name} is one of ${option.choices.join(', ')}; not ${JSON.stringify(value)}`);
    }
    if (option.repeats === true) args.lists.set(name, [...(args.lists.get(name) ?? []), value]);
    else args.values.set(name, value);
  }
  const given = args.positionals;
  if (given.length > takes.most) throw new UsageError(`one argument too many: ${JSON.stringify(given[takes.most])}`);
  return args;
}

function splitOption(word: string): [string, string | undefined] {
  if (word === '-h') return ['help', undefined];
  const equals = word.indexOf('=');
  return equals < 0 ? [word.slice(2), undefined] : [word.slice(2, equals), word.slice(equals + 1)];
}

function unknownOption(word: string, options: readonly Option[]): UsageError {
  const near = nearest(
    word,
    options.map((option) => `--${option.name}`),
  );
  return new UsageError(`unknown option ${word}${near === undefined ? '' : `; did you mean ${near}?`}`);
}
