// A process spoken to by lines, each request waiting for its own answer, so that several kinds can be under way.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { environment } from './process.ts';

export class Lines {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, () => void>();
  #rest = '';
  #nextId = 1;

  constructor(command: string, args: string[]) {
    this.child = spawn(command, args, { env: environment() });
    this.child.stdout.on('data', (chunk: Buffer) => {
      const lines = (this.#rest + chunk.toString('utf8')).split('\n');
      this.#rest = lines.pop() as string;
      for (const line of lines) {
        const { id } = JSON.parse(line);
        this.#waiting.get(id)?.();
        this.#waiting.delete(id);
      }
    });
    this.child.stderr.resume();
  }

  async request(method: string, params: object): Promise<void> {
    const id = this.#nextId++;
    const answered = new Promise<void>((resolve) => this.#waiting.set(id, resolve));
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    await answered;
  }

  async handshake(): Promise<this> {
    const clientInfo = { name: 'bench', version: '0' };
    await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    this.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return this;
  }

  async end(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await gone;
  }
}
