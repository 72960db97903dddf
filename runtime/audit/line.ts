// One line of the audit as text. It is JSON that says whose it is, its number among that process's lines, the
// hash of its line before, and at the end a checksum of its own, by which a torn or damaged line shows alone.

import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What a line says beside its place in the chain. */
export type Body = { readonly [name: string]: string | number | boolean | undefined };

export type Line = { writer: string; number: number; previous: string; said: ReadonlyMap<string, unknown> };

/** Longer than any line of ours. */
export const MOST_LINE_BYTES = 64 * 1024;

/** How every line starts: what starts so and has no end was torn. */
export const LINE_START = '{"writer":"';

const WRITER = /^[0-9a-f]{16}$/;
const PREVIOUS = /^(?:[0-9a-f]{64})?$/;
const SUM_START = ',"sum":"';
const SUM_DIGITS = 8;
const SUM_BYTES = SUM_START.length + SUM_DIGITS + 2;

export function encodeLine(writer: string, number: number, previous: string, body: string): string {
  return seal(`${LINE_START}${writer}","number":${number},"previous":"${previous}",${body}`);
}

/** The members of a body as JSON without braces. */
export function encodeBody(body: Body): string {
  return JSON.stringify(body).slice(1, -1);
}

/** Undefined when the line is not whole. */
export function decodeLine(bytes: Buffer): Line | undefined {
  const value = bytes.length > MOST_LINE_BYTES ? undefined : unseal(bytes);
  if (value === undefined) return undefined;
  const { writer, number, previous, ...said } = value;
  if (typeof writer !== 'string' || !WRITER.test(writer) || !isCount(number) || number === 0) return undefined;
  if (typeof previous !== 'string' || !PREVIOUS.test(previous)) return undefined;
  return { writer, number, previous, said: new Map(Object.entries(said)) };
}

/** An object without its closing brace, closed with a checksum of what came before. */
export function seal(open: string): string {
  return `${open}${ending(open)}`;
}

function ending(open: string | Uint8Array): string {
  return `${SUM_START}${crc32(open).toString(16).padStart(SUM_DIGITS, '0')}"}`;
}

/** What was sealed; undefined for anything that is not exactly as it was then. */
export function unseal(bytes: Buffer): { [name: string]: unknown } | undefined {
  const end = Math.max(0, bytes.length - SUM_BYTES);
  if (bytes.toString('latin1', end) !== ending(bytes.subarray(0, end))) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as { [name: string]: unknown }) : undefined;
  } catch {
    return undefined;
  }
}

export function hashOf(line: string | Buffer): string {
  return hash('sha256', line);
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isWriter(name: string): boolean {
  return WRITER.test(name);
}
