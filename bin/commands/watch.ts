// The loop of `build --watch`: builds, waits for a change, builds again. What is built and how it is shown
// is given, so that this file holds nothing of the compiler.

import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FSWatcher, watch as watchFiles } from 'chokidar';

export type Watched = {
  root: string;
  /** Files that are watched whether they are there or not. */
  files: readonly string[];
  /** Our own output. */
  ignored: string;
  /** Builds and shows; gives the files and folders that the build was made from, none if that is not known. */
  build(): Promise<readonly string[]>;
};

/** A change is often several: an editor writes, renames, touches. */
const SETTLE_MS = 100;
const NOT_WATCHED = /[\\/](?:node_modules|\.git|\.fieldguide)(?:[\\/]|$)/;

export async function watch({ root, files, ignored: output, build }: Watched): Promise<never> {
  const change = changes();
  const ignored = (path: string): boolean => path === output || NOT_WATCHED.test(path.slice(root.length));
  process.on('SIGINT', () => process.exit(0));
  process.on('SIGTERM', () => process.exit(0));
  let watcher: FSWatcher | undefined;
  let watched = '';
  for (;;) {
    const startedAt = Date.now();
    const folders = (await build()).map((folder) => nearestFolder(folder, root));
    const paths = [...new Set([...files, ...folders])];
    if (paths.join('\n') !== watched && (folders.length > 0 || watcher === undefined)) {
      await watcher?.close();
      watcher = watchPaths(paths, ignored, startedAt, change.happened);
      watched = paths.join('\n');
    }
    await change.next();
  }
}

/**
 * What changed between the start of the build and the start of the watch counts as a change, too. Everything
 * is looked at once more when the watch stands: a file may change after it was seen and before it is watched.
 */
function watchPaths(
  paths: string[],
  ignored: (path: string) => boolean,
  startedAt: number,
  happened: () => void,
): FSWatcher {
  let ready = false;
  const watcher = watchFiles(paths, { ignored });
  return watcher
    .on('all', () => {
      if (ready) happened();
    })
    .on('ready', () => {
      ready = true;
      if (changedSince(startedAt, watcher.getWatched())) happened();
    })
    .on('error', (error) => {
      process.stderr.write(`fieldguide build: cannot watch (${(error as NodeJS.ErrnoException).code ?? 'error'})\n`);
    });
}

function changedSince(startedAt: number, watched: Record<string, string[]>): boolean {
  return Object.entries(watched).some(([folder, names]) =>
    [folder, ...names.map((name) => join(folder, name))].some((path) => {
      try {
        return (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0) >= startedAt;
      } catch {
        return false;
      }
    }),
  );
}

/** The folder, or, while it is not there, the nearest in which it would appear. */
function nearestFolder(folder: string, root: string): string {
  let nearest = folder;
  while (!existsSync(nearest) && nearest !== root && nearest !== dirname(nearest)) nearest = dirname(nearest);
  return nearest;
}

/** `next` waits for a change, and for the changes that come with it. One during a build is not lost. */
function changes(): { happened(): void; next(): Promise<void> } {
  let pending = false;
  let timer: NodeJS.Timeout | undefined;
  let wake: (() => void) | undefined;
  const settle = (): void => {
    pending = true;
    wake?.();
  };
  return {
    happened() {
      clearTimeout(timer);
      timer = setTimeout(settle, SETTLE_MS);
    },
    async next() {
      if (!pending) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      pending = false;
    },
  };
}
