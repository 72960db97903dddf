// A server on stdio and a client that waits for its answers and notices, one by one.

import { type ChildProcess, spawn } from 'node:child_process';
import { environment } from './process.ts';

export class LineClient {
  readonly child: ChildProcess;
  readonly #answers = new Map<number, () => void>();
  #told: (() => void) | undefined;
  #next = 1;
  #rest = '';

  constructor(args: string[]) {
    this.child = spawn(process.execPath, args, { env: environment(), stdio: ['pipe', 'pipe', 'ignore'] });
    this.child.stdout?.on('data', (chunk) => {
      const lines = (this.#rest + chunk).split('\n');
      this.#rest = lines.pop() as string;
      for (const line of lines) this.#take(JSON.parse(line));
    });
  }

  async request(method: string, params: object): Promise<void> {
    const id = this.#next++;
    const answered = new Promise<void>((resolve) => this.#answers.set(id, resolve));
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    await answered;
  }

  async record(topic: string): Promise<void> {
    await this.request('tools/call', { name: 'record_topic', arguments: { topic } });
  }

  /** The next notice that a resource has changed. */
  async told(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#told = resolve;
    });
  }

  #take({ id, method, error }: { id?: number; method?: string; error?: unknown }): void {
    if (error !== undefined) throw new Error(JSON.stringify(error));
    if (method === 'notifications/resources/updated') this.#told?.();
    if (id !== undefined) this.#answers.get(id)?.();
  }
}
