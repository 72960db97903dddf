// What examining files gave in earlier builds, under .fieldguide/ at the root: safe to delete, and never
// trusted when it is damaged or was made by another version of the parser. A document is found by the
// sha256 of its bytes, so nothing in it can be out of date.

import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Packr } from 'msgpackr';
import { type Counted, SharedWords } from './counted.ts';
import type { Examined } from './examine.ts';
import { write } from './write.ts';

const FOLDER = '.fieldguide';
const FILE = 'parsed.cache';
const MOST_BYTES = 1 << 28;
const DIGEST_BYTES = 32;

/** In place of the words of a text, which are packed beside it. */
const NO_WORDS: Counted['words'] = { table: [], numbers: new Uint32Array(0) };

const packr = new Packr();

export function cacheKey(sha256: string, isMarkdown: boolean): string {
  return isMarkdown ? `${sha256} md` : sha256;
}

/** The version of the parser is the file that does the parsing. */
export function parserVersion(workerFile: string): Buffer {
  return createHash('sha256').update(readFileSync(workerFile)).digest();
}

/** Empty when there is none, when it is damaged, or when another parser made it. */
export function readCache(root: string, version: Buffer): ReadonlyMap<string, Examined> {
  try {
    const file = join(root, FOLDER, FILE);
    if (statSync(file).size > MOST_BYTES) return new Map();
    const bytes = readFileSync(file);
    const body = bytes.subarray(2 * DIGEST_BYTES);
    if (!version.equals(bytes.subarray(0, DIGEST_BYTES))) return new Map();
    if (!sha256(body).equals(bytes.subarray(DIGEST_BYTES, 2 * DIGEST_BYTES))) return new Map();
    return unpackAll(packr.unpack(body));
  } catch {
    return new Map();
  }
}

/** Keeps what this build used, and nothing else; a folder that cannot be written to, or is a link, has no cache. */
export function writeCache(root: string, version: Buffer, used: ReadonlyMap<string, Examined>): void {
  const body = packr.pack(packAll([...used].sort(([a], [b]) => (a < b ? -1 : 1))));
  try {
    const folder = join(root, FOLDER);
    if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
    mkdirSync(folder, { recursive: true });
    ignoreFolder(folder);
    write(folder, FILE, Buffer.concat([version, sha256(body), body]), { durable: false });
  } catch {
    // The next build parses again.
  }
}

/** All texts share one table of words: their numbers are quicker to read, and to index, than the words. */
type Packed = { table: string[]; texts: [string, Examined, numbers: Uint8Array][] };

function packAll(used: readonly [string, Examined][]): Packed {
  const shared = new SharedWords();
  const texts = used.map(([key, { counted, ...rest }]): Packed['texts'][number] => {
    const { buffer } = shared.numbersOf(counted.words);
    return [key, { ...rest, counted: { ...counted, words: NO_WORDS } }, Buffer.from(buffer)];
  });
  return { table: shared.table, texts };
}

function unpackAll({ table, texts }: Packed): ReadonlyMap<string, Examined> {
  return new Map(
    texts.map(([key, examined, bytes]) => {
      const numbers = new Uint32Array(Uint8Array.from(bytes).buffer);
      return [key, { ...examined, counted: { ...examined.counted, words: { table, numbers } } }];
    }),
  );
}

/** The folder keeps itself out of git. */
function ignoreFolder(folder: string): void {
  const file = join(folder, '.gitignore');
  try {
    writeFileSync(file, '*\n', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
