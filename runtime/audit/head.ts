// The head of a chain: how far a process has written, kept beside the file, so that a tail that was cut shows. It
// has one length from the start and is written over in one write: that needs no room on a full disk, and a
// process that dies leaves the old one or the new one.

import { isCount, isWriter, seal, unseal } from './line.ts';

/** `hash` is that of the line with that number; before the first line both are empty. */
export type Head = { writer: string; number: number; hash: string; isClosed: boolean };

export const HEAD_BYTES = 256;
const HASH = /^(?:[0-9a-f]{64})?$/;

export function headsFolder(file: string): string {
  return `${file}.heads`;
}

export function encodeHead({ writer, number, hash, isClosed }: Head): Buffer {
  const open = `{"writer":"${writer}","number":${number},"hash":"${hash}","closed":${isClosed}`;
  return Buffer.from(`${seal(open).padEnd(HEAD_BYTES - 1)}\n`);
}

/** Undefined when it is not whole. */
export function decodeHead(bytes: Buffer): Head | undefined {
  if (bytes.length !== HEAD_BYTES || bytes[HEAD_BYTES - 1] !== 10) return undefined;
  const text = bytes.toString('latin1', 0, HEAD_BYTES - 1).replace(/ +$/, '');
  const { writer, number, hash, closed } = unseal(Buffer.from(text, 'latin1')) ?? {};
  if (typeof writer !== 'string' || !isWriter(writer) || !isCount(number)) return undefined;
  if (typeof hash !== 'string' || !HASH.test(hash) || typeof closed !== 'boolean') return undefined;
  return { writer, number, hash, isClosed: closed };
}
