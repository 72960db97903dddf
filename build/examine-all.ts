// Looks at every document in threads of their own, each within a budget of time and memory: some markup
// takes the tokenizer minutes for a few kilobytes. A thread that is over is ended, its document reported
// and left out, and the rest goes on. What the cache knows is not looked at again. The order of the
// outcome is the order of the sources.

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { cacheKey } from './cache.ts';
import type { Source } from './collect.ts';
import { problem, type Report } from './diagnostics.ts';
import type { Examined } from './examine.ts';
import type { Question, Reply } from './examine-worker.ts';

export type Parsed = { source: Source } & Examined;

const BUDGET = { ms: 5000, megabytes: 256 };
const DOCUMENTS_A_THREAD = 40;
const MOST_THREADS = 4;
const MARKDOWN = /\.(md|markdown|mdx)$/i;

/** From the sources too it is the compiled file: a thread cannot be started from TypeScript. */
export const WORKER_FILE = import.meta.filename.endsWith('.ts')
  ? join(import.meta.dirname, '../dist/examine-worker.cjs')
  : join(import.meta.dirname, 'examine-worker.cjs');

export async function examineAll(
  sources: readonly Source[],
  known: ReadonlyMap<string, Examined>,
  report: Report,
  progress: (done: number, all: number) => void = () => {},
  budget = BUDGET,
): Promise<Parsed[]> {
  const found = new Map<Source, Examined>();
  const waiting: Source[] = [];
  for (const source of sources) {
    const cached = known.get(cacheKey(source.input.sha256, isMarkdown(source.path)));
    if (cached === undefined) waiting.push(source);
    else found.set(source, cached);
  }
  const threads = Math.min(availableParallelism(), MOST_THREADS, Math.ceil(waiting.length / DOCUMENTS_A_THREAD));
  const all = waiting.length;
  waiting.reverse();
  await Promise.all(
    Array.from({ length: threads }, async () => {
      const thread = new Thread(budget);
      for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
        const reply = await thread.ask({ text: source.text, isMarkdown: isMarkdown(source.path) });
        if ('examined' in reply) found.set(source, reply.examined);
        else report(tooHard(source.path, reply.failed));
        progress(all - waiting.length, all);
      }
      await thread.end();
    }),
  );
  return sources.flatMap((source) => {
    const examined = found.get(source);
    return examined === undefined ? [] : [{ source, ...examined }];
  });
}

export function isMarkdown(path: string): boolean {
  return MARKDOWN.test(path);
}

function tooHard(file: string, why: string) {
  const fix = 'Look for thousands of brackets, backticks or quotes in a row.';
  return problem('document-too-slow', { file, line: 1, column: 1 }, `It could not be read: ${why}.`, fix);
}

/** A thread that is started when it is first asked, and again after it had to be ended. */
class Thread {
  readonly #budget: typeof BUDGET;
  #worker: Worker | undefined;

  constructor(budget: typeof BUDGET) {
    this.#budget = budget;
  }

  ask(question: Question): Promise<Reply> {
    const { ms, megabytes } = this.#budget;
    this.#worker ??= new Worker(WORKER_FILE, { resourceLimits: { maxOldGenerationSizeMb: megabytes } });
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        clearTimeout(timer);
        worker.off('message', onReply).off('error', onError);
        then();
      };
      const giveUp = (failed: string): void => {
        void this.end();
        settle(() => resolve({ failed }));
      };
      const onReply = (reply: Reply): void => settle(() => resolve(reply));
      const onError = (error: NodeJS.ErrnoException): void => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') giveUp(`it takes more than ${megabytes} MB of memory`);
        else settle(() => reject(error));
      };
      const timer = setTimeout(() => giveUp(`it takes more than ${ms / 1000} seconds`), ms);
      worker.on('message', onReply).on('error', onError).postMessage(question);
    });
  }

  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}
