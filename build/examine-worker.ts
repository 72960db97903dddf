// One thread of the compiler: a text in, what it tells out; or why it could not be read.

import { parentPort } from 'node:worker_threads';
import { type Examined, examine } from './examine.ts';

export type Question = { text: string; isMarkdown: boolean };
export type Reply = { examined: Examined } | { failed: string };

function answer({ text, isMarkdown }: Question): Reply {
  try {
    return { examined: examine(text, isMarkdown) };
  } catch (error) {
    return { failed: (error as Error).message };
  }
}

parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)));
