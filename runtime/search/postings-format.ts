// The layout of the section `find`, both directions: who is searchable, which words there are, and where
// each stands. FORMAT.md says the same in prose. Every number is bounded by whoever reads it; the
// checksums of the blocks it stands in are those of sealed.ts.

/** Words that share a full spelling at the head of their group; the others are front-coded. */
export const GROUP_WORDS = 16;
export const HEAD_BYTES = 36;
export const DOCUMENT_BYTES = 20;
export const GROUP_BYTES = 8;

/** Counts, and where the parts start, from the start of the section. */
export type FindHead = {
  documents: number;
  sections: number;
  words: number;
  lengthsAt: number;
  keysAt: number;
  groupsAt: number;
  wordsAt: number;
  postingsAt: number;
  end: number;
};

const HEAD_FIELDS = [
  'documents',
  'sections',
  'words',
  'lengthsAt',
  'keysAt',
  'groupsAt',
  'wordsAt',
  'postingsAt',
  'end',
] as const;

/** One searchable text: where its key starts, its first section, and how many words its fields have; after the last one the ends and the sums. */
export type FindDocument = { keyAt: number; section: number; title: number; headings: number; body: number };

const IS_LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

const DOCUMENT_FIELDS = ['keyAt', 'section', 'title', 'headings', 'body'] as const;

/** A word in one section: in its heading (section 0: the title), and how often in its text. */
export type Posting = { section: number; inHeading: boolean; count: number };

/** A word, and how many bytes its postings have. */
export type IndexedWord = { word: Buffer; postingBytes: number };

/** What bytes can be added to. */
type Sink = { push(byte: number): unknown };

export function encodeFind(
  documents: readonly (Omit<FindDocument, 'keyAt'> & { key: string })[],
  lengths: readonly number[],
  words: readonly IndexedWord[],
  postings: Uint8Array,
): Buffer {
  const keys = documents.map(({ key }) => Buffer.from(key, 'utf8'));
  const { groups, entries } = encodeWords(words);
  const sections = lengths.length;
  const lengthsAt = HEAD_BYTES + (documents.length + 1) * DOCUMENT_BYTES;
  const keysAt = lengthsAt + sections;
  const groupsAt = aligned(keysAt + byteLength(keys));
  const wordsAt = groupsAt + groups.length;
  const postingsAt = wordsAt + entries.length;
  const end = postingsAt + postings.length;
  const bytes = Buffer.alloc(end);
  writeFields(bytes, 0, HEAD_FIELDS, {
    documents: documents.length,
    sections,
    words: words.length,
    lengthsAt,
    keysAt,
    groupsAt,
    wordsAt,
    postingsAt,
    end,
  });
  const rows = documents.length + 1;
  const write = (n: number, row: FindDocument): void => {
    for (const [column, field] of DOCUMENT_FIELDS.entries())
      bytes.writeUInt32LE(row[field], HEAD_BYTES + (column * rows + n) * 4);
  };
  const last = { keyAt: 0, section: sections, title: 0, headings: 0, body: 0 };
  for (const [n, document] of documents.entries()) {
    write(n, { ...document, keyAt: last.keyAt });
    last.keyAt += (keys[n] as Buffer).length;
    for (const field of ['title', 'headings', 'body'] as const) last[field] += document[field];
  }
  write(documents.length, last);
  Buffer.from(lengths.map(encodeLength)).copy(bytes, lengthsAt);
  Buffer.concat(keys).copy(bytes, keysAt);
  groups.copy(bytes, groupsAt);
  entries.copy(bytes, wordsAt);
  bytes.set(postings, postingsAt);
  return bytes;
}

export function decodeHead(view: DataView): FindHead {
  return readFields(view, 0, HEAD_FIELDS);
}

/** One field of all documents, and after them the sum of the field: where it lies, if the machine can read it there. */
export function documentColumn(bytes: Uint8Array, rows: number, field: keyof FindDocument): Uint32Array {
  const from = DOCUMENT_FIELDS.indexOf(field) * rows * 4;
  const column = bytes.subarray(from, from + rows * 4);
  if (column.byteOffset % 4 === 0 && IS_LITTLE_ENDIAN) return new Uint32Array(column.buffer, column.byteOffset, rows);
  const view = new DataView(column.buffer, column.byteOffset, column.length);
  return Uint32Array.from({ length: rows }, (_, n) => view.getUint32(n * 4, true));
}

/** How many words a section has, in one byte: sixteen steps to a doubling. */
function encodeLength(length: number): number {
  return Math.min(255, Math.round(Math.log2(length + 1) * 16));
}

export function decodeLength(byte: number): number {
  return 2 ** (byte / 16) - 1;
}

// Words: groups of sixteen, the first spelt out, the others by what differs from the one before

function encodeWords(words: readonly IndexedWord[]): { groups: Buffer; entries: Buffer } {
  const groups = Buffer.alloc(Math.ceil(words.length / GROUP_WORDS) * GROUP_BYTES);
  const entries: number[] = [];
  let postingAt = 0;
  let before: Uint8Array = Buffer.alloc(0);
  for (const [n, { word, postingBytes }] of words.entries()) {
    if (n % GROUP_WORDS === 0) {
      groups.writeUInt32LE(entries.length, (n / GROUP_WORDS) * GROUP_BYTES);
      groups.writeUInt32LE(postingAt, (n / GROUP_WORDS) * GROUP_BYTES + 4);
      before = Buffer.alloc(0);
    }
    const same = sharedBytes(before, word);
    pushVarint(entries, same);
    pushVarint(entries, word.length - same);
    for (const byte of word.subarray(same)) entries.push(byte);
    pushVarint(entries, postingBytes);
    postingAt += postingBytes;
    before = word;
  }
  return { groups, entries: Buffer.from(entries) };
}

function sharedBytes(a: Uint8Array, b: Uint8Array): number {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
}

// Postings: the step from the section before, and in its low two bits what else follows

/** Adds a posting after the one of section `before`, -1 for the first. 0: once in the text; 1: count - 2 follows; 2: only in the heading; 3: in both, count - 1 follows. */
export function pushPosting(into: Sink, before: number, { section, inHeading, count }: Posting): void {
  const kind = inHeading ? (count === 0 ? 2 : 3) : count === 1 ? 0 : 1;
  pushVarint(into, (section - before - 1) * 4 + kind);
  if (kind === 1) pushVarint(into, count - 2);
  if (kind === 3) pushVarint(into, count - 1);
}

/** The postings of one word, and in how many documents; `uses` holds count * 2, plus 1 when the heading has it. */
export type PostingList = { length: number; documents: number; sections: Uint32Array; uses: Uint32Array };

/** Where postings are decoded to; a list has at most one for each byte. */
export type PostingRoom = Pick<PostingList, 'sections' | 'uses'>;

export function postingRoom(size: number): PostingRoom {
  return { sections: new Uint32Array(size), uses: new Uint32Array(size) };
}

/** Undefined when the bytes are no list of sections, in order; `documentOf` has the document of each. */
export function decodePostings(
  bytes: Uint8Array,
  documentOf: Uint32Array,
  room = postingRoom(bytes.length),
): PostingList | undefined {
  const { sections: numbers, uses } = room;
  let length = 0;
  let documents = 0;
  let document = -1;
  let section = -1;
  let at = 0;
  const sections = documentOf.length;
  const size = bytes.length;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 28 && at < size; shift += 7) {
      const byte = bytes[at++] as number;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return -1;
  };
  while (at < size) {
    let step = bytes[at] as number;
    if (step < 0x80) at++;
    else step = varint();
    const kind = step & 3;
    const more = (kind & 1) === 1 ? varint() : 0;
    section += (step >> 2) + 1;
    if (step < 0 || more < 0 || section >= sections) return undefined;
    const owner = documentOf[section] as number;
    if (owner !== document) {
      document = owner;
      documents++;
    }
    numbers[length] = section;
    uses[length++] = kind === 0 ? 2 : kind === 1 ? (more + 2) * 2 : kind === 2 ? 1 : (more + 1) * 2 + 1;
  }
  return { length, documents, sections: numbers, uses };
}

// Numbers

/** Seven bits to a byte, the low ones first, at most four bytes. */
export function pushVarint(into: Sink, value: number): void {
  if (value >= 2 ** 28) throw new Error('too large an index');
  let left = value;
  for (; left >= 0x80; left >>>= 7) into.push((left & 0x7f) | 0x80);
  into.push(left);
}

function writeFields<Field extends string>(
  into: Buffer,
  at: number,
  fields: readonly Field[],
  values: Record<Field, number>,
): void {
  for (const [n, field] of fields.entries()) into.writeUInt32LE(values[field], at + n * 4);
}

function readFields<Field extends string>(from: DataView, at: number, fields: readonly Field[]): Record<Field, number> {
  return Object.fromEntries(fields.map((field, n) => [field, from.getUint32(at + n * 4, true)])) as Record<
    Field,
    number
  >;
}

function aligned(length: number): number {
  return Math.ceil(length / 4) * 4;
}

function byteLength(buffers: readonly Buffer[]): number {
  return buffers.reduce((sum, { length }) => sum + length, 0);
}
