// Projects built by the real command, for tests that serve them.

import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from './folder.ts';
import { bundleBytes, SHOP } from './shop.ts';

export const OVERVIEW = 'context://project/overview';

/** What every bundle lists beside what was written. */
export const LIVE_URIS = ['context://session/current', 'context://sessions/recent', 'context://discoveries'];

/** A folder with a project and its bundle. */
export function builtShop(t: TestContext, source = SHOP): string {
  const root = temporaryFolder(t, { 'project.yaml': source, 'dist-index/.keep': '' });
  publish(root, bundleBytes(source));
  return root;
}

/** Puts a bundle in place as everything of ours does. */
export function publish(root: string, bytes: Buffer): void {
  const file = join(root, 'dist-index/context.fgb');
  writeFileSync(`${file}.tmp`, bytes);
  renameSync(`${file}.tmp`, file);
}
