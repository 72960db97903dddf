// Every problem a build can find, in one table: a permanent code, its severity, and how it is said:
// what happened, why it matters, what to do. Problems are data; all of them are reported, in order.

import type { SilencedLines } from './silence-comments.ts';
import { type Ignored, Silences } from './silences.ts';

export type Severity = 'error' | 'warning';

/** Lines and columns count from 1, columns as editors do, in UTF-16 units. */
export type Place = { file: string; line: number; column: number };

export type Diagnostic = Place & {
  code: Code;
  severity: Severity;
  what: string;
  why: string;
  fix: string;
};

export type Report = (diagnostic: Diagnostic) => void;

type Rule = { severity: Severity; why: string };

const RULES = {
  'project-missing': { severity: 'error', why: 'project.yaml is where a bundle starts.' },
  'project-unreadable': { severity: 'error', why: 'Nothing can be built from a file that cannot be read.' },
  'project-too-large': {
    severity: 'error',
    why: 'A project file is written by people; this one would take too long to check.',
  },
  'yaml-syntax': { severity: 'error', why: 'The file is not valid YAML, so its meaning is a guess.' },
  'yaml-duplicate-key': { severity: 'error', why: 'One of the two values would be lost without a word.' },
  'yaml-too-deep': { severity: 'error', why: 'Nothing in a project file nests this deeply.' },
  'yaml-too-many-aliases': { severity: 'error', why: 'Aliases repeat what they name; these multiply without bound.' },
  'key-unknown': { severity: 'error', why: 'An unknown key does nothing, which is rarely what was meant.' },
  'key-missing': { severity: 'error', why: 'The bundle cannot be made without it.' },
  'value-wrong': { severity: 'error', why: 'The value has a shape that means nothing here.' },
  'name-wrong': { severity: 'error', why: 'The name becomes part of a URI that agents read.' },
  'module-unknown': { severity: 'error', why: 'Agents would be sent to a module that does not exist.' },
  'category-missing': { severity: 'warning', why: 'The category will answer that it is empty.' },
  'pattern-unmatched': { severity: 'warning', why: 'A pattern that matches nothing is usually misspelt.' },
  'collection-unknown': { severity: 'error', why: 'The collection would be without what its author meant.' },
  'collection-cycle': { severity: 'error', why: 'A collection that holds itself has no end.' },
  'path-unreadable': { severity: 'warning', why: 'What cannot be read cannot be packed; it was left out.' },
  'document-too-large': { severity: 'warning', why: 'Documents over 2 MiB are not packed.' },
  'document-too-slow': { severity: 'warning', why: 'Its markup costs too much to read; it was left out.' },
  'document-not-utf8': { severity: 'warning', why: 'What is not text is not packed into the guide.' },
  'front-matter-syntax': { severity: 'warning', why: 'Front matter that is not YAML is passed over.' },
  'front-matter-value': { severity: 'warning', why: 'A key with a wrong value is passed over.' },
  'front-matter-slip': { severity: 'warning', why: 'The key means nothing here, but looks like one that does.' },
  'prompts-missing': { severity: 'warning', why: 'Agents are offered none of the prompts that were meant.' },
  'prompt-name': { severity: 'warning', why: 'The file name is the name that people type; it was left out.' },
  'prompt-reserved': { severity: 'warning', why: 'Every bundle has a prompt of this name; the file was left out.' },
  'prompt-empty': { severity: 'warning', why: 'A prompt without text asks for nothing; it was left out.' },
  'prompt-argument-unknown': { severity: 'warning', why: 'It stays as it is written, and is never filled in.' },
  'prompt-argument-duplicate': { severity: 'warning', why: 'One value cannot be two; the first counts.' },
  'prompt-embed-broken': { severity: 'warning', why: 'Whoever asks for the prompt gets an error in its place.' },
  'alias-broken': { severity: 'warning', why: 'An agent that asks for it would find nothing; it was left out.' },
  'title-missing': { severity: 'warning', why: 'Agents choose by titles; the file name stands in for it.' },
  'title-duplicate': { severity: 'warning', why: 'Agents choose by titles, and cannot tell these apart.' },
  'key-file-missing': { severity: 'warning', why: 'Agents are sent to a file that is not there.' },
  'command-broken': { severity: 'warning', why: 'An agent that runs the command gets an error.' },
  'document-unserved': { severity: 'warning', why: 'No category takes it in, so no agent can read it.' },
  'budget-over': { severity: 'warning', why: 'What an agent reads takes the place of what it could know besides.' },
  'ignore-wrong': { severity: 'warning', why: 'The comment silences nothing.' },
  'ignore-unused': { severity: 'warning', why: 'It silences nothing, and would hide the next problem of its kind.' },
  'file-secret': { severity: 'warning', why: 'Files with such names hold secrets; it was left out.' },
  'file-outside': { severity: 'warning', why: 'A link leads out of the repository; it was left out.' },
  'file-too-large': { severity: 'warning', why: 'Files over 8 MiB are not packed.' },
  'link-broken': { severity: 'warning', why: 'An agent that follows the link finds nothing.' },
  'link-not-served': { severity: 'warning', why: 'The file is there, but no category serves it.' },
  'anchor-broken': { severity: 'warning', why: 'The document is there, but no heading of it has this anchor.' },
  'characters-hidden': {
    severity: 'warning',
    why: 'Invisible characters can carry instructions that no reviewer saw.',
  },
  'secret-probable': { severity: 'warning', why: 'Everything in a bundle can be read by whoever has it.' },
  'more-problems': { severity: 'error', why: 'Problems of one kind beyond fifty are counted, not shown.' },
  'bundle-missing': { severity: 'error', why: 'Agents would be served nothing.' },
  'bundle-stale': { severity: 'error', why: 'Agents would be served something else than the sources say.' },
} as const satisfies Record<string, Rule>;

export type Code = keyof typeof RULES;

export const CODES = Object.keys(RULES) as Code[];

const MOST_OF_ONE_CODE = 50;

export function problem(code: Code, place: Place, what: string, fix: string): Diagnostic {
  return { ...place, code, ...RULES[code], what, fix };
}

/** Keeps what is reported; hands it out sorted, with a flood of one code counted instead of shown. */
export class Diagnostics {
  readonly #kept: Diagnostic[] = [];
  readonly #counts = new Map<Code, number>();
  /** A file may be looked at twice: as a document and as a whitelisted file, or in two categories. */
  readonly #seen = new Set<string>();
  /** What project.yaml and comments in documents say is accepted. */
  readonly silences = new Silences();

  readonly report: Report = (diagnostic) => {
    if (diagnostic.severity === 'warning' && this.silences.take(diagnostic)) return;
    const { file, line, column, code, what } = diagnostic;
    const key = JSON.stringify([file, line, column, code, what]);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const count = (this.#counts.get(diagnostic.code) ?? 0) + 1;
    this.#counts.set(diagnostic.code, count);
    if (count <= MOST_OF_ONE_CODE) this.#kept.push(diagnostic);
  };

  /** Leaves out from now on what project.yaml says is accepted. */
  ignore(accepted: readonly Ignored[]): void {
    this.silences.accept(accepted);
  }

  /** Leaves out what comments in a document say is accepted there. */
  ignoreLines(file: string, lines: readonly SilencedLines[]): void {
    if (lines.length > 0) this.silences.acceptLines(file, lines);
  }

  get failed(): boolean {
    return this.#kept.some((diagnostic) => diagnostic.severity === 'error');
  }

  /** Of all that was reported, shown or not. */
  get totals(): { errors: number; warnings: number } {
    let errors = 0;
    let warnings = 0;
    for (const [code, count] of this.#counts) {
      const isError = this.#kept.some((diagnostic) => diagnostic.code === code && diagnostic.severity === 'error');
      if (isError) errors += count;
      else warnings += count;
    }
    return { errors, warnings };
  }

  sorted(): Diagnostic[] {
    const floods = [...this.#counts].flatMap(([code, count]) => {
      const last = this.#kept.findLast((diagnostic) => diagnostic.code === code);
      if (count <= MOST_OF_ONE_CODE || last === undefined) return [];
      const more = count - MOST_OF_ONE_CODE;
      const what = `There are ${more} more problems of the kind ${code}.`;
      return [{ ...problem('more-problems', last, what, 'Mend those shown first.'), severity: last.severity }];
    });
    return [...this.#kept, ...floods].sort(byPlace);
  }
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  return (
    Buffer.compare(Buffer.from(a.file), Buffer.from(b.file)) ||
    a.line - b.line ||
    a.column - b.column ||
    (a.code < b.code ? -1 : a.code > b.code ? 1 : 0)
  );
}
