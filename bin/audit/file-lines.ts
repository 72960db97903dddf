// The lines of a file of any size, a piece at a time: an audit may be larger than memory.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { MOST_LINE_BYTES } from '../../runtime/audit/line.ts';

/** `number` counts from one. Of a line longer than any of ours only the beginning is there. */
export type FileLine = { number: number; bytes: Buffer; hasEnd: boolean };

const STEP_BYTES = 1024 * 1024;
const NEWLINE = 10;

export function* fileLines(file: string): Generator<FileLine> {
  const fd = openAudit(file);
  try {
    let number = 0;
    let rest = Buffer.alloc(0);
    for (;;) {
      const piece = Buffer.allocUnsafe(STEP_BYTES);
      const got = readSync(fd, piece);
      const bytes = Buffer.concat([rest, piece.subarray(0, got)]);
      let from = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
        yield { number: ++number, bytes: bytes.subarray(from, end), hasEnd: true };
        from = end + 1;
      }
      const left = bytes.subarray(from);
      rest = left.length > MOST_LINE_BYTES ? left.subarray(0, MOST_LINE_BYTES + 1) : left;
      if (got > 0) continue;
      if (rest.length > 0) yield { number: ++number, bytes: rest, hasEnd: false };
      return;
    }
  } finally {
    closeSync(fd);
  }
}

function openAudit(file: string): number {
  let fd: number | undefined;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    if (fstatSync(fd).isFile()) return fd;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw new Error(`${file} cannot be read (${code}); check who may read it.`);
    throw new Error(`there is no file ${file}; name the one that \`fieldguide serve --audit\` writes.`);
  }
  closeSync(fd);
  throw new Error(`${file} is not a plain file; name the one that \`fieldguide serve --audit\` writes.`);
}
