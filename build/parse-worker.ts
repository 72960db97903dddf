// One thread of the parser: a text in, its page out.

import { parentPort } from 'node:worker_threads';
import { parse } from './parse.ts';

parentPort?.on('message', (text: string) => parentPort?.postMessage(parse(text)));
