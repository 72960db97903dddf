// Sources to prompts: the front matter says what a prompt is called and what it asks for, the text after it
// is what an agent is told. No markdown is parsed: only {{argument}} means anything in it.

import { nearest } from '../runtime/nearest.ts';
import type { Source } from './collect.ts';
import { type Diagnostic, type Place, problem, type Report } from './diagnostics.ts';
import { readKeys, readText } from './front-matter.ts';
import type { Span } from './parse.ts';
import { NAME, NAME_RULE, type PromptArgument, readArguments } from './prompt-arguments.ts';
import { type Embed, readEmbeds } from './prompt-embeds.ts';
import { checkText } from './text-checks.ts';
import { show } from './yaml.ts';

export type Prompt = {
  name: string;
  title?: string;
  description?: string;
  arguments: readonly PromptArgument[];
  /** Read when it is asked for, and put before its text. */
  embeds?: readonly Embed[];
  body: string;
};

/** Names of the prompts that every bundle has. */
export const RESERVED_PROMPTS = ['discover-mcp', 'getting-started'];

type Front = {
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  embed: readonly Embed[];
};

const FRONT = {
  title: { expected: 'a text', read: readText },
  description: { expected: 'a text', read: readText },
  arguments: { expected: 'a list of { name, description, required }', read: readArguments },
  embed: { expected: 'a list of URIs', read: readEmbeds },
};

/** Wider than a name: what looks like a place to fill in, and is none, is worth a word. */
const PLACEHOLDER = /\{\{[ \t]*([^\s{}]{1,64})[ \t]*\}\}/g;
/** Near misses are looked for as often as problems of one kind are shown. */
const MOST_SUGGESTED = 50;

/** Prompts sorted by name; what cannot be one is reported and left out. */
export function readPrompts(sources: readonly Source[], reserved: readonly string[], report: Report): Prompt[] {
  return sources
    .flatMap((source) => readPrompt(source, reserved, report) ?? [])
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readPrompt({ path, text }: Source, reserved: readonly string[], report: Report): Prompt | undefined {
  const start = { file: path, line: 1, column: 1 };
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
  checkText(path, text, report);
  if (!NAME.test(name)) {
    report(problem('prompt-name', start, `A prompt cannot be called ${show(name)}.`, `Rename the file: ${NAME_RULE}.`));
    return undefined;
  }
  if (reserved.includes(name)) {
    report(problem('prompt-reserved', start, `The name ${show(name)} is taken.`, 'Rename the file.'));
    return undefined;
  }
  const { span, bodyAt } = splitFrontMatter(text);
  const front = span === undefined ? {} : readKeys<Front>(FRONT, path, text, span, report);
  const body = text
    .slice(bodyAt)
    .replace(/^(?:[ \t]*\r?\n)+/, '')
    .trimEnd();
  if (body === '') {
    report(
      problem('prompt-empty', start, 'There is no text after the front matter.', 'Write what the agent is to do.'),
    );
    return undefined;
  }
  const { embed: embeds = [], arguments: found = [], ...titles } = front;
  const known = new Set(found.map((argument) => argument.name));
  checkPlaceholders(path, text, bodyAt, known, report);
  for (const { uri, place } of embeds) checkFilledIn(uri, place, known, report);
  return { ...titles, name, arguments: found, ...(embeds.length === 0 ? {} : { embeds }), body };
}

/** The YAML between two lines of three hyphens, the first of which opens the file. */
function splitFrontMatter(text: string): { span: Span | undefined; bodyAt: number } {
  const open = /^\ufeff?---[ \t]*\r?\n/.exec(text);
  const from = open?.[0].length ?? 0;
  const fence = /^---[ \t]*\r?$\n?/gm;
  fence.lastIndex = from;
  const close = open === null ? null : fence.exec(text);
  if (close === null) return { span: undefined, bodyAt: text.startsWith('\ufeff') ? 1 : 0 };
  return { span: { from, to: close.index, line: 2, column: 1 }, bodyAt: close.index + close[0].length };
}

function checkPlaceholders(
  file: string,
  text: string,
  bodyAt: number,
  known: ReadonlySet<string>,
  report: Report,
): void {
  const placeAt = placesInOrder(file, text);
  const pattern = new RegExp(PLACEHOLDER);
  pattern.lastIndex = bodyAt;
  let unknown = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const name = match[1] as string;
    if (known.has(name)) continue;
    const near = unknown++ < MOST_SUGGESTED ? nearest(name, known) : undefined;
    report(notDeclared(name, near, placeAt(match.index)));
  }
}

/** A URI has no room for what is not filled in. */
function checkFilledIn(uri: string, place: Place, known: ReadonlySet<string>, report: Report): void {
  for (const [, name = ''] of uri.matchAll(PLACEHOLDER)) {
    if (known.has(name)) continue;
    report(notDeclared(name, nearest(name, known), place));
  }
}

function notDeclared(name: string, near: string | undefined, place: Place): Diagnostic {
  const fix = near === undefined ? 'Declare it under arguments: in the front matter.' : `Did you mean ${show(near)}?`;
  return problem('prompt-argument-unknown', place, `${show(name)} is no argument.`, fix);
}

/** Places of ascending offsets, each line counted once. */
function placesInOrder(file: string, text: string): (at: number) => Place {
  let line = 1;
  let lineAt = 0;
  return (at) => {
    for (let next = text.indexOf('\n', lineAt); next >= 0 && next < at; next = text.indexOf('\n', lineAt)) {
      line++;
      lineAt = next + 1;
    }
    return { file, line, column: at - lineAt + 1 };
  };
}
