// Where a client's file is: in the project, or where the operating system keeps what is a user's own.

import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Edit } from './clients.ts';
import { type FilePlace, isThere } from './config-file.ts';

export function placeOf(edit: Edit, root: string): FilePlace {
  const { base, folder } = edit.scope === 'project' ? { base: root, folder: '' } : userFolder();
  const places = edit.files.map(
    (path): FilePlace => ({ base, path: join(folder, path), mayLeave: edit.scope === 'user' }),
  );
  return places.find(isThere) ?? (places[0] as FilePlace);
}

/** As it is said to a person: from the project, or whole. */
export function shownPath({ base, path }: FilePlace, root: string): string {
  return base === root ? path : join(base, path);
}

function userFolder(): { base: string; folder: string } {
  const { APPDATA, XDG_CONFIG_HOME } = process.env;
  if (process.platform === 'darwin') return { base: homedir(), folder: 'Library/Application Support' };
  const given = process.platform === 'win32' ? APPDATA : XDG_CONFIG_HOME;
  if (given !== undefined && isAbsolute(given)) return { base: given, folder: '' };
  return { base: homedir(), folder: process.platform === 'win32' ? 'AppData/Roaming' : '.config' };
}
