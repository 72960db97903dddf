// The commands of a document that can be held against the repository: scripts of package.json, targets of make,
// recipes of just, and files that are run. Whatever could mean something else is passed over here.

import type { ShellBlock } from '../parse.ts';
import { simpleCommands, type Word } from './shell-words.ts';

export type Command = {
  /** `word` is a script of package.json, unless a package of that name brings a program. */
  kind: 'script' | 'word' | 'make' | 'just' | 'path';
  name: string;
  line: number;
  column: number;
  /** Where the commands before it went, by the last name of each path; `?` when that cannot be told. */
  after: readonly string[];
};

const MOST_COMMANDS = 200;
const MOST_MOVES = 8;
/** Words that stand before a command without changing what it is. */
const PREFIXES = new Set(['sudo', 'time', 'exec', 'command', 'nohup', 'env', 'cross-env', 'then', 'do', 'else', '!']);
const ASSIGNMENT = /^\w+=/;
const NAME = /^[A-Za-z0-9][\w:.-]*$/;
/** Names that stand for any other. */
const STAND_IN =
  /^(?:x+|foo|bar|baz|name|task|target|command|(?:some|script|task|target).?(?:name|script)?)$|\byour|\bmy\b/i;
const SCRIPT_FILE = /^(?:\.\/)?[\w@-][\w@.-]*(?:\/[\w@-][\w@.-]*)*\.(?:sh|bash|zsh|py|rb|pl|[cm]?js|[cm]?ts)$/;
const INTERPRETERS = new Set(['node', 'bash', 'sh', 'zsh', 'python', 'python3', 'ruby', 'perl', 'tsx', 'ts-node']);
/** Options of a package manager that do not change where it looks. */
const HARMLESS = /^(?:-s|-q|--silent|--quiet)$/;
/** What scripts are usually called, and no program of a package is; a program has no colon in its name either. */
const SURELY_SCRIPT =
  /:|^(?:build|dev|start|test|lint|format|fmt|clean|deploy|release|docs|typecheck|coverage|e2e|watch)$/;

/** Most documents have nothing of this, and are not read word by word. */
const CHECKABLE = /\b(?:p?npm|yarn|bun|g?make|just)\s|\.(?:sh|bash|zsh|py|rb|pl|[cm]?[jt]s)\b/;

export function commandsIn(blocks: readonly ShellBlock[], source: string): Command[] {
  const found: Command[] = [];
  if (!blocks.some(({ lines }) => CHECKABLE.test(source.slice(lines[0]?.from ?? 0, lines.at(-1)?.to ?? 0))))
    return found;
  let after: readonly string[] = [];
  for (const block of blocks) {
    for (const words of simpleCommands(block, source)) {
      const [program, ...args] = withoutPrefixes(words);
      if (program === undefined || found.length >= MOST_COMMANDS) continue;
      const moved = movesTo(program.text, args);
      if (moved !== undefined) {
        if (!after.includes('?')) after = [...after, after.length < MOST_MOVES ? moved : '?'];
        continue;
      }
      for (const { kind, word } of checkable(program, args)) {
        found.push({ kind, name: word.text, line: word.line, column: word.column, after });
      }
    }
  }
  return found;
}

function withoutPrefixes(words: readonly Word[]): readonly Word[] {
  const first = words.findIndex(({ text }) => !PREFIXES.has(text) && !ASSIGNMENT.test(text));
  return first < 0 ? [] : words.slice(first);
}

/** Where the commands after this one are run, if it leads elsewhere. */
function movesTo(program: string, args: readonly Word[]): string | undefined {
  const texts = args.map(({ text }) => text);
  if (program === 'cd' || program === 'pushd') return texts[0] === '.' ? undefined : lastName(texts[0] ?? '');
  if (/^(?:popd|ssh|su|nix-shell)$/.test(program)) return '?';
  if (program === 'git' && texts[0] === 'clone') {
    const plain = texts.slice(1).filter((text) => !text.startsWith('-'));
    return plain.length === 1 ? lastName((plain[0] as string).replace(/\.git$/, '')) : '?';
  }
  return opensShell(program, texts) ? '?' : undefined;
}

function opensShell(program: string, args: readonly string[]): boolean {
  if (program === 'vagrant' || program === 'nix' || program === 'devbox')
    return /^(?:ssh|shell|develop)$/.test(args[0] ?? '');
  if (!/^(?:docker|podman|kubectl)$/.test(program)) return false;
  return args.some((text) => /^(?:-[a-z]*i[a-z]*|--interactive|--tty|(?:\/bin\/)?(?:ba|z|a)?sh)$/.test(text));
}

function lastName(path: string): string {
  return /(?:^|[/:])([\w.-]*\w)\/?$/.exec(path)?.[1] ?? '?';
}

type Checkable = { kind: Command['kind']; word: Word };

function checkable(program: Word, args: readonly Word[]): Checkable[] {
  switch (program.text) {
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun':
      return scriptIn(program.text, args);
    case 'make':
    case 'gmake':
      return targetsIn(args);
    case 'just':
      return recipeIn(args);
    default:
      return fileIn(program, args);
  }
}

function scriptIn(manager: 'npm' | 'pnpm' | 'yarn' | 'bun', args: readonly Word[]): Checkable[] {
  const end = args.findIndex(({ text }) => text === '--');
  const own = end < 0 ? args : args.slice(0, end);
  const [verb, ...rest] = own.filter(({ text }) => !HARMLESS.test(text));
  if (verb === undefined) return [];
  const runs = verb.text === 'run' || verb.text === 'run-script';
  // Arguments of a script come after its name; before it, and after `npm run x`, an option may name another package.
  if (manager !== 'yarn' && rest.some(({ text }) => text.startsWith('-'))) return [];
  const word = runs ? rest[0] : verb;
  if (word === undefined || !isName(word.text)) return [];
  const isCertain = manager === 'npm' || manager === 'pnpm';
  if (isCertain && (runs ? word.text !== 'env' : /^(?:test|start)$/.test(word.text))) return [{ kind: 'script', word }];
  const mayRun = runs ? !isCertain : manager === 'yarn' || (manager === 'pnpm' && word.text !== 'deploy');
  return mayRun && SURELY_SCRIPT.test(word.text) ? [{ kind: 'word', word }] : [];
}

function targetsIn(args: readonly Word[]): Checkable[] {
  if (args.some(({ text }) => /^(?:-[a-zA-Z]*[CfIo]|--(?:directory|file|makefile|include-dir|old-file))/.test(text)))
    return [];
  return args
    .filter(({ text }) => isName(text) && !/^\d+$/.test(text) && !ASSIGNMENT.test(text))
    .map((word) => ({ kind: 'make', word }));
}

/** The first word; those after it may be its arguments. */
function recipeIn(args: readonly Word[]): Checkable[] {
  const [word] = args.filter(({ text }) => !ASSIGNMENT.test(text));
  return word === undefined || !isName(word.text) || word.text.includes(':') ? [] : [{ kind: 'just', word }];
}

function fileIn(program: Word, args: readonly Word[]): Checkable[] {
  if (SCRIPT_FILE.test(program.text)) return program.text.includes('/') ? [{ kind: 'path', word: program }] : [];
  const [word] = args;
  // An option before the file may take a value, or be the program itself (-e, -c, -m).
  return INTERPRETERS.has(program.text) && word !== undefined && SCRIPT_FILE.test(word.text)
    ? [{ kind: 'path', word }]
    : [];
}

function isName(text: string): boolean {
  return NAME.test(text) && !STAND_IN.test(text) && !text.endsWith('.');
}
