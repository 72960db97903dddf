// A discovery as pages show it. It was checked when it was recorded, but the journal is a file that anybody may
// write: each text becomes one line of bounded length, and a line in a list or a paragraph stays one.

import { moduleUri } from '../uri.ts';
import { heldHash } from './held.ts';
import { sessionIdOf } from './safe-name.ts';
import type { Discovery, DiscoveryType } from './store.ts';
import { shortId, timeInWords } from './words.ts';

export type Shown = {
  type: DiscoveryType;
  /** On one line, as a heading shows it; `asItem` where it starts a paragraph or an entry of a list. */
  content: string;
  asItem: string;
  solution: string | undefined;
  module: string | undefined;
  /** The module it belongs to, whether a bundle has it or not. */
  moduleUri: string | undefined;
  /** Of its session, the part that pages show. */
  session: string;
  discovered: string;
  hash: string;
};

const MOST_CHARACTERS = 2000;
const MOST_NAME = 200;
const NOTHING = 'not stated';
/** What steers a terminal, or turns the direction of what follows. */
const UNSEEN = /[\s\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
/** What would start a block of its own at the start of a line: heading, list, quotation, fence, rule, HTML, definition. */
const BLOCK_START =
  /^(?:#{1,6}(?:\s|$)|[-+*](?:\s|$)|>|```|~~~|(?:[-*_] ?){3,}$|<[A-Za-z/!?]|\[(?=.*\]:)|\[[ xX]\](?:\s|$))/;
const NUMBERED = /^(\d{1,9})([.)](?:\s|$))/;

const known = new WeakMap<Discovery, Shown>();

export function shown(discovery: Discovery): Shown {
  let made = known.get(discovery);
  if (made === undefined) {
    made = make(discovery);
    known.set(discovery, made);
  }
  return made;
}

/** What was discovered about a module is for those who may read it. A name that no URI can have is nobody's module. */
export function mayKnow(discovery: Discovery, may: (uri: string) => boolean): boolean {
  const { moduleUri: uri } = shown(discovery);
  return uri === undefined ? discovery.module === undefined : may(uri);
}

function make({ type, content: given, solution, module, sessionId, at }: Discovery): Shown {
  const content = line(given, MOST_CHARACTERS) || NOTHING;
  return {
    type,
    content,
    asItem: content.replace(BLOCK_START, '\\$&').replace(NUMBERED, '$1\\$2'),
    solution: solution === undefined ? undefined : line(solution, MOST_CHARACTERS) || NOTHING,
    module: module === undefined ? undefined : line(module, MOST_NAME),
    moduleUri: module?.isWellFormed() ? moduleUri(module) : undefined,
    session: shortId(sessionIdOf(sessionId)),
    discovered: timeInWords(at),
    hash: heldHash(given),
  };
}

/** Bounded first, so that a text of any length costs the same. */
function line(text: string, most: number): string {
  const whole = text
    .slice(0, most * 2)
    .toWellFormed()
    .replace(UNSEEN, ' ')
    .trim();
  if (whole.length <= most && text.length <= most * 2) return whole;
  return `${whole.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
