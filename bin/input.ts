// Everything that comes on stdin, within bounds of size and time. Node's streams cost a quarter of a start, so it
// is read by plain reads; and since a read that waits cannot be called off, stdin is made to answer at once
// whether there is something, and the waiting is done between reads.

import { fstatSync, readSync } from 'node:fs';

export type Input = { bytes: Buffer; ended: 'whole' | 'too long' | 'too late' | 'terminal' };

const FIRST_PIECE_BYTES = 64 * 1024;
const LONGEST_PIECE_BYTES = 1024 * 1024;
const LONGEST_WAIT_MS = 8;

/** What is too long is read to its end, so that its writer is not cut off, but not kept. */
export async function readInput(mostBytes: number, withinMs: number): Promise<Input> {
  if (!(await unblock())) return { bytes: Buffer.alloc(0), ended: 'terminal' };
  const until = process.uptime() + withinMs / 1000;
  const pieces: Buffer[] = [];
  let size = 0;
  let waitMs = 1;
  let piece = Buffer.allocUnsafe(FIRST_PIECE_BYTES);
  for (let got = readSome(piece); got !== 0; got = readSome(piece)) {
    if (got === undefined) {
      sleep(waitMs);
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    } else {
      waitMs = 1;
      size += got;
      if (size <= mostBytes) {
        pieces.push(piece.subarray(0, got));
        piece = piece.length - got < FIRST_PIECE_BYTES ? Buffer.allocUnsafe(LONGEST_PIECE_BYTES) : piece.subarray(got);
      }
    }
    if (process.uptime() > until)
      return { bytes: Buffer.concat(pieces), ended: size > mostBytes ? 'too long' : 'too late' };
  }
  return { bytes: Buffer.concat(pieces), ended: size > mostBytes ? 'too long' : 'whole' };
}

/** Undefined when there is nothing yet. */
function readSome(into: Buffer): number | undefined {
  try {
    return readSync(0, into);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EOF') return 0;
    if (code === 'EAGAIN' || code === 'EINTR') return undefined;
    throw error;
  }
}

/** Makes a read of stdin never wait; false for a terminal, which would keep that when we are gone. */
async function unblock(): Promise<boolean> {
  const stats = fstatSync(0);
  if (stats.isFile() || process.platform === 'win32') return true;
  if (stats.isCharacterDevice()) return false;
  try {
    openPipe();
  } catch {
    const { Socket } = await import('node:net');
    new Socket({ fd: 0, readable: false, writable: false });
  }
  return true;
}

/**
 * What a socket of `node:net` does first. The module takes an eighth of a start to load, this alone nothing; it is
 * an old way in that a Node to come may close, and then the module is used.
 */
function openPipe(): void {
  const { Pipe, constants } = (process as unknown as OldProcess).binding('pipe_wrap');
  const refusal = new Pipe(constants.SOCKET).open(0);
  if (typeof refusal === 'number' && refusal !== 0) throw new Error('stdin is no pipe');
}

type OldProcess = {
  binding(name: 'pipe_wrap'): {
    Pipe: new (kind: number) => { open(fd: number): unknown };
    constants: { SOCKET: number };
  };
};

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
