// Glob matching in time linear in pattern × path. A path is matched segment by segment, and both levels
// (`**` over segments, `*` over characters) use the same walk with one place to go back to, so no
// pattern, however crafted, starts over. One matcher serves the compiler and the reader: what was built
// and what is asked for always agree.
//
//   *  within a segment   **  any segments (as a whole segment)   ?  one character
//   [set] [!set]          {a,b}                                   \x  the character x itself

export const MOST_PATTERN = 256;
const MOST_ALTERNATIVES = 64;

/** Why a pattern is refused; the message is a sentence. */
export class GlobError extends Error {}

export type Glob = {
  /** What every match starts with. */
  readonly prefix: string;
  /** How many patterns without braces it stands for: what a match costs. */
  readonly alternatives: number;
  matches(path: string): boolean;
};

/** What one place of a segment takes: `*`, any character, a character, or one of a set. */
type Unit = typeof STAR | typeof ANY | string | { negated: boolean; ranges: readonly (readonly [number, number])[] };
const STAR = Symbol('*');
const ANY = Symbol('?');

/** A segment of a pattern; `**` is STAR among segments. */
type Segment = typeof STAR | readonly Unit[];

/** Throws GlobError for a pattern that is too long or has too many alternatives. */
export function compileGlob(pattern: string): Glob {
  if (pattern.length > MOST_PATTERN) throw new GlobError(`A pattern has at most ${MOST_PATTERN} characters.`);
  const prefix = literalPrefix(pattern);
  if (prefix === pattern) return { prefix, alternatives: 1, matches: (path) => path === pattern };
  const alternatives = [...new Set(expandBraces(pattern))].map((alternative) => {
    const segments = parseSegments(alternative);
    return { segments, literal: longestLiteral(segments) };
  });
  const matches = (path: string): boolean => {
    if (!path.startsWith(prefix)) return false;
    let segments: string[] | undefined;
    for (const alternative of alternatives) {
      if (!path.includes(alternative.literal)) continue;
      segments ??= path.split('/');
      if (matchSegments(alternative.segments, segments)) return true;
    }
    return false;
  };
  return { prefix, alternatives: alternatives.length, matches };
}

/** The longest run of plain characters in one segment: whatever matches has it, and most paths do not. */
function longestLiteral(segments: readonly Segment[]): string {
  let longest = '';
  for (const segment of segments) {
    let run = '';
    for (const unit of segment === STAR ? [] : segment) {
      run = typeof unit === 'string' ? run + unit : '';
      if (run.length > longest.length) longest = run;
    }
  }
  return longest;
}

export function isGlob(pattern: string): boolean {
  return literalPrefix(pattern) !== pattern;
}

function literalPrefix(pattern: string): string {
  const special = pattern.search(/[*?[{\\]/);
  return special < 0 ? pattern : pattern.slice(0, special);
}

function matchSegments(pattern: readonly Segment[], path: readonly string[]): boolean {
  // A file is never its own folder: `a/**` does not match `a`.
  const least = pattern.at(-1) === STAR ? 1 : 0;
  let p = 0;
  let at = 0;
  let starAt = -1;
  let backTo = 0;
  while (at < path.length) {
    const segment = pattern[p];
    if (segment === STAR) {
      if (p === pattern.length - 1) return path.length - at >= least;
      starAt = p++;
      backTo = at;
    } else if (segment !== undefined && matchUnits(segment, path[at] as string)) {
      p++;
      at++;
    } else if (starAt >= 0) {
      p = starAt + 1;
      at = ++backTo;
    } else return false;
  }
  return p === pattern.length;
}

function matchUnits(units: readonly Unit[], text: string): boolean {
  let u = 0;
  let at = 0;
  let starAt = -1;
  let backTo = 0;
  while (at < text.length) {
    const unit = units[u];
    const code = text.codePointAt(at) as number;
    const width = code > 0xffff ? 2 : 1;
    if (unit === STAR) {
      if (u === units.length - 1) return true;
      starAt = u++;
      backTo = at;
    } else if (unit !== undefined && takes(unit, code)) {
      u++;
      at += width;
    } else if (starAt >= 0) {
      u = starAt + 1;
      backTo += (text.codePointAt(backTo) as number) > 0xffff ? 2 : 1;
      at = backTo;
    } else return false;
  }
  while (units[u] === STAR) u++;
  return u === units.length;
}

function takes(unit: Exclude<Unit, typeof STAR>, code: number): boolean {
  if (unit === ANY) return true;
  if (typeof unit === 'string') return unit.codePointAt(0) === code;
  return unit.ranges.some(([low, high]) => code >= low && code <= high) !== unit.negated;
}

function parseSegments(pattern: string): Segment[] {
  const segments: Segment[] = [];
  for (const text of pattern.split('/')) {
    if (text !== '**') segments.push(parseUnits(text));
    else if (segments.at(-1) !== STAR) segments.push(STAR);
  }
  return segments;
}

function parseUnits(text: string): Unit[] {
  const units: Unit[] = [];
  for (let at = 0; at < text.length; ) {
    const char = String.fromCodePoint(text.codePointAt(at) as number);
    const set = char === '[' ? parseSet(text, at) : undefined;
    if (set !== undefined) {
      units.push(set.unit);
      at = set.end;
      continue;
    }
    at += char.length;
    if (char === '*') {
      if (units.at(-1) !== STAR) units.push(STAR);
    } else if (char === '?') units.push(ANY);
    else if (char === '\\' && at < text.length) {
      const escaped = String.fromCodePoint(text.codePointAt(at) as number);
      units.push(escaped);
      at += escaped.length;
    } else units.push(char);
  }
  return units;
}

/** The set that opens at `at`; undefined when it does not close: then `[` is itself. */
function parseSet(text: string, at: number): { unit: Unit; end: number } | undefined {
  const negated = text[at + 1] === '!' || text[at + 1] === '^';
  const first = at + (negated ? 2 : 1);
  const close = text.indexOf(']', first + 1);
  if (close < 0) return undefined;
  const codes = [...text.slice(first, close)].map((char) => char.codePointAt(0) as number);
  const ranges: [number, number][] = [];
  for (let n = 0; n < codes.length; n++) {
    const low = codes[n] as number;
    const isRange = codes[n + 1] === 0x2d && n + 2 < codes.length;
    ranges.push([low, isRange ? (codes[n + 2] as number) : low]);
    if (isRange) n += 2;
  }
  return { unit: { negated, ranges }, end: close + 1 };
}

/** The pattern once for each choice of its braces, left to right. */
function expandBraces(pattern: string): string[] {
  const brace = firstBrace(pattern);
  if (brace === undefined) return [pattern];
  const heads = brace.choices.flatMap((choice) => expandBraces(choice));
  const tails = expandBraces(pattern.slice(brace.end));
  if (heads.length * tails.length > MOST_ALTERNATIVES) {
    throw new GlobError(`A pattern has at most ${MOST_ALTERNATIVES} alternatives.`);
  }
  const before = pattern.slice(0, brace.start);
  return heads.flatMap((head) => tails.map((tail) => before + head + tail));
}

/** The first `{a,b}` with a comma of its own that closes. */
function firstBrace(pattern: string): { start: number; end: number; choices: string[] } | undefined {
  for (let start = pattern.indexOf('{'); start >= 0; start = pattern.indexOf('{', start + 1)) {
    if (pattern[start - 1] === '\\') continue;
    const commas: number[] = [];
    for (let at = start + 1, depth = 1; at < pattern.length; at++) {
      const char = pattern[at];
      if (char === '\\') at++;
      else if (char === '{') depth++;
      else if (char === ',' && depth === 1) commas.push(at);
      else if (char === '}' && --depth === 0) {
        if (commas.length === 0) break;
        const edges = [start, ...commas, at];
        return {
          start,
          end: at + 1,
          choices: edges.slice(1).map((edge, n) => pattern.slice((edges[n] as number) + 1, edge)),
        };
      }
    }
  }
  return undefined;
}
