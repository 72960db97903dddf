// The heads beside an audit: how far each process says that it has written.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decodeHead, HEAD_BYTES, type Head, headsFolder } from '../../runtime/audit/head.ts';
import { isWriter } from '../../runtime/audit/line.ts';

/** `damaged`: there is a file of that name, which is no head. */
export type Heads = ReadonlyMap<string, Head | 'damaged'>;

export function readHeads(file: string): Heads {
  const folder = headsFolder(file);
  return new Map(
    namesIn(folder)
      .filter(isWriter)
      .map((writer) => [writer, headOf(join(folder, writer), writer)] as const),
  );
}

function headOf(path: string, writer: string): Head | 'damaged' {
  try {
    const head = statSync(path).size === HEAD_BYTES ? decodeHead(readFileSync(path)) : undefined;
    return head?.writer === writer ? head : 'damaged';
  } catch {
    return 'damaged';
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new Error(`${folder} cannot be read (${code}); check who may read it.`);
  }
}
