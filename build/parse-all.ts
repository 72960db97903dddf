// Parses documents in threads of their own, each within a budget: some markup takes the tokenizer
// minutes for a few kilobytes. A thread that is over its time is ended, its document reported and left
// out, and the rest goes on. The order of the outcome is the order of the sources.

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Source } from './collect.ts';
import { problem, type Report } from './diagnostics.ts';
import type { Page } from './parse.ts';
import type { Parsed } from './resolve.ts';

const BUDGET_MS = 5000;
const DOCUMENTS_A_THREAD = 40;
const MOST_THREADS = 4;
const MARKDOWN = /\.(md|markdown|mdx)$/i;

export async function parseAll(sources: readonly Source[], report: Report, budgetMs = BUDGET_MS): Promise<Parsed[]> {
  const pages = new Map<Source, Page | undefined>();
  const waiting = sources.filter(({ path }) => MARKDOWN.test(path)).reverse();
  const threads = Math.min(availableParallelism(), MOST_THREADS, Math.ceil(waiting.length / DOCUMENTS_A_THREAD));
  const slow = new Set<Source>();
  await Promise.all(
    Array.from({ length: threads }, async () => {
      let thread = new Thread();
      for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
        const page = await thread.parse(source.text, budgetMs);
        if (page !== undefined) pages.set(source, page);
        else {
          slow.add(source);
          thread = new Thread();
        }
      }
      await thread.end();
    }),
  );
  for (const { path } of slow) {
    const place = { file: path, line: 1, column: 1 };
    report(
      problem(
        'document-too-slow',
        place,
        `It was not read within ${budgetMs} ms.`,
        'Look for thousands of brackets, stars or quotes in a row.',
      ),
    );
  }
  return sources.filter((source) => !slow.has(source)).map((source) => ({ source, page: pages.get(source) }));
}

class Thread {
  readonly #worker = startWorker();

  /** Undefined when the budget was used up, or the thread failed; it is ended then. */
  parse(text: string, budgetMs: number): Promise<Page | undefined> {
    return new Promise((resolve) => {
      const fail = (): void => give(undefined);
      const give = (page: Page | undefined): void => {
        clearTimeout(timer);
        this.#worker.off('message', give).off('error', fail);
        if (page === undefined) void this.end();
        resolve(page);
      };
      const timer = setTimeout(fail, budgetMs);
      this.#worker.on('message', give).on('error', fail).postMessage(text);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** From sources under tsx, or from the file that compile.ts made. */
function startWorker(): Worker {
  const fromSource = import.meta.filename.endsWith('.ts');
  const file = join(import.meta.dirname, fromSource ? 'parse-worker.ts' : 'parse-worker.cjs');
  return new Worker(file, fromSource ? { execArgv: ['--import', 'tsx'] } : {});
}
