// Whether an audit is as it was written: each process's lines in their order, each following from the one before,
// and as far as its head says. The order of lines of different processes is nobody's promise.

import type { Head } from '../../runtime/audit/head.ts';
import { decodeLine, hashOf, LINE_START } from '../../runtime/audit/line.ts';
import { type FileLine, fileLines } from './file-lines.ts';
import { type Heads, readHeads } from './heads.ts';

/** A problem says that something was changed; a note, that something ended badly or cannot be proven. */
export type Finding = { kind: string; line?: number; writer?: string; text: string };

export type Checked = { lines: number; writers: number; problems: Finding[]; notes: Finding[]; more: number };

type Gap = { from: number; to: number; before: number };

/** How far a process's lines have been read. */
type Chain = { number: number; hash: string; line: number; isClosed: boolean; gaps: Gap[] };

const MOST_FINDINGS = 1000;
/** What is torn has no such end; in a value the quotes would be escaped. */
const SEAL = /,"sum":"[0-9a-f]{8}"\}/;

/** Heads first, because a server may be writing meanwhile: then there is more in the file than they say. */
export function checkAudit(file: string): Checked {
  const chains = new ChainCheck(readHeads(file));
  for (const line of fileLines(file)) chains.take(line);
  return chains.end(() => readHeads(file));
}

class ChainCheck {
  readonly #heads: Heads;
  readonly #chains = new Map<string, Chain>();
  readonly #problems: Finding[] = [];
  readonly #notes: Finding[] = [];
  #lines = 0;
  #more = 0;

  constructor(heads: Heads) {
    this.#heads = heads;
  }

  take({ number: at, bytes, hasEnd }: FileLine): void {
    if (bytes.length === 0) return;
    const line = decodeLine(bytes);
    if (line === undefined) return this.#unreadable(at, bytes);
    this.#lines++;
    if (!hasEnd) this.#note('unended', 'the line break after the last line is missing', at);
    const { writer, number, previous, said } = line;
    const chain = this.#chains.get(writer) ?? { number: 0, hash: '', line: 0, isClosed: false, gaps: [] };
    this.#chains.set(writer, chain);
    if (number <= chain.number) return this.#outOfPlace(chain, writer, number, at);
    if (chain.isClosed) this.#problem('inserted', `stands after the closing line of its process`, at, writer);
    if (number > chain.number + 1) chain.gaps.push({ from: chain.number + 1, to: number - 1, before: at });
    else if (previous !== chain.hash) {
      const text =
        number === 1 ? 'is no first line' : `does not follow from line ${chain.line}: one of the two was edited`;
      this.#problem('edited', text, at, writer);
    }
    if ((number === 1) !== (said.get('event') === 'open')) {
      this.#problem('edited', 'is not the opening line, which it should be, or is, and should not', at, writer);
    }
    const hash = hashOf(bytes);
    const head = this.#headOf(writer);
    if (head?.number === number && head.hash !== hash)
      this.#problem('edited', 'is not the line that its head names', at, writer);
    if (said.get('event') === 'gap')
      this.#note('gap', `${Number(said.get('lost'))} accesses were not recorded`, at, writer);
    Object.assign(chain, { number, hash, line: at, isClosed: chain.isClosed || said.get('event') === 'close' });
  }

  /** `later`: the heads as they are now, for processes that began meanwhile. */
  end(later: () => Heads): Checked {
    const headless: string[] = [];
    let now: Heads | undefined;
    for (const [writer, chain] of this.#chains) {
      for (const { from, to, before } of chain.gaps) {
        this.#problem(
          'removed',
          `before it ${numbers(from, to)} of its process ${from === to ? 'is' : 'are'} missing`,
          before,
          writer,
        );
      }
      if (!this.#heads.has(writer)) {
        now ??= later();
        if (!now.has(writer)) headless.push(writer);
      }
      this.#endOfChain(writer, chain);
    }
    if (headless.length > 0 && this.#heads.size === 0 && now?.size === 0) {
      this.#problem('no-heads', 'there are no heads beside the file, so a cut would not show; keep both together');
    } else for (const writer of headless) this.#problem('no-head', 'has lines but no head', undefined, writer);
    for (const [writer, head] of this.#heads) this.#withoutLines(writer, head);
    const [problems, notes] = [this.#problems, this.#notes];
    return { lines: this.#lines, writers: this.#chains.size, problems, notes, more: this.#more };
  }

  #endOfChain(writer: string, { number, line, isClosed }: Chain): void {
    const head = this.#headOf(writer);
    if (head !== undefined && head.number > number) {
      this.#problem(
        'cut',
        `after it ${numbers(number + 1, head.number)} of its process ${head.number === number + 1 ? 'is' : 'are'} missing`,
        line,
        writer,
      );
    } else if (!isClosed) {
      const beyond = head === undefined || head.number === number ? '' : `, ${number - head.number} after its head`;
      this.#note('open', `is the last of a process that was killed or is still running${beyond}`, line, writer);
    }
  }

  #withoutLines(writer: string, head: Head | 'damaged'): void {
    if (head === 'damaged') this.#problem('head-damaged', 'has a head that is damaged', undefined, writer);
    else if (this.#chains.has(writer)) return;
    else if (head.number === 0) this.#note('open', 'wrote no line: it has only begun, or could not', undefined, writer);
    else this.#problem('removed', `has a head but no lines: ${numbers(1, head.number)} are missing`, undefined, writer);
  }

  /** Damage of a line that somebody else's crash tore costs that one; what it held is missed by its number. */
  #unreadable(at: number, bytes: Buffer): void {
    const text = bytes.toString('latin1');
    const begins = text.slice(0, LINE_START.length) === LINE_START.slice(0, text.length);
    const isTorn = begins && !text.endsWith('"}') && !SEAL.test(text);
    if (isTorn) this.#note('torn', 'is torn: it was being written when its process ended or the disk was full', at);
    else this.#problem('damaged', 'is no line of an audit, or was edited', at);
  }

  #outOfPlace(chain: Chain, writer: string, number: number, at: number): void {
    const n = chain.gaps.findIndex(({ from, to }) => from <= number && number <= to);
    const gap = chain.gaps[n];
    if (gap === undefined)
      return this.#problem('duplicated', `has number ${number} of its process a second time`, at, writer);
    const { from, to, before } = gap;
    const left = [
      { from, to: number - 1, before },
      { from: number + 1, to, before },
    ].filter((one) => one.from <= one.to);
    chain.gaps.splice(n, 1, ...left);
    this.#problem('swapped', `stands after line ${before}, and was written before it`, at, writer);
  }

  #headOf(writer: string): Head | undefined {
    const head = this.#heads.get(writer);
    return head === 'damaged' ? undefined : head;
  }

  #problem(kind: string, text: string, line?: number, writer?: string): void {
    this.#add(this.#problems, kind, text, line, writer);
  }

  #note(kind: string, text: string, line?: number, writer?: string): void {
    this.#add(this.#notes, kind, text, line, writer);
  }

  #add(to: Finding[], kind: string, text: string, line: number | undefined, writer: string | undefined): void {
    if (to.length >= MOST_FINDINGS) this.#more++;
    else to.push({ kind, ...(line === undefined ? {} : { line }), ...(writer === undefined ? {} : { writer }), text });
  }
}

function numbers(from: number, to: number): string {
  return from === to ? `number ${from}` : `numbers ${from} to ${to}`;
}
