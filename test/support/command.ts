// The compiled command as a child process: run to its end, or serving and spoken to line by line.

import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export const START_FILE = join(import.meta.dirname, '../../dist/fieldguide.cjs');

/** The session of whoever runs the tests is no part of them. */
export const NO_SESSION = {
  CLAUDE_CODE_SESSION_ID: undefined,
  COPILOT_AGENT_SESSION_ID: undefined,
  GEMINI_SESSION_ID: undefined,
};

export type Ended = { code: number | null; stdout: string; stderr: string };

export function run(args: string[], options: { cwd?: string; input?: string; env?: NodeJS.ProcessEnv } = {}): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [START_FILE, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 60_000,
    ...options,
    env: { ...process.env, ...NO_SESSION, ...options.env },
  });
  return { code: status, stdout, stderr };
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
export type Message = any;

export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A server on stdio; every line it writes must be JSON. */
export class Served {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  readonly messages: Message[] = [];
  stderr = '';
  #stdout = '';
  #waiting: (() => void)[] = [];
  #nextId = 1;

  constructor(t: TestContext, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
    const env = { ...process.env, ...NO_SESSION, ...options.env };
    this.child = spawn(process.execPath, [START_FILE, 'serve', ...args], { ...options, env });
    t.after(() => this.child.kill('SIGKILL'));
    this.child.stdin.on('error', () => {});
    this.child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    this.child.stderr.on('data', (chunk: Buffer) => {
      this.stderr += chunk;
    });
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code) => {
        resolve({ code, stdout: this.#stdout, stderr: this.stderr });
        this.#wake();
      });
    });
  }

  send(text: string | Buffer): void {
    this.child.stdin.write(text);
  }

  async request(method: string, params?: unknown, id: unknown = this.#nextId++): Promise<Message> {
    this.send(`${JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) })}\n`);
    return await this.answer((message) => message.id === id);
  }

  async modern(method: string, params: object = {}): Promise<Message> {
    return await this.request(method, { ...params, _meta: ENVELOPE });
  }

  async answer(is: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.messages.find(is);
      if (found !== undefined) return found;
      if (this.child.exitCode !== null) throw new Error(`the server ended; stderr: ${this.stderr}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #take(chunk: Buffer): void {
    this.#stdout += chunk;
    const lines = this.#stdout.split('\n');
    this.#stdout = lines.pop() as string;
    this.messages.push(...lines.map((line) => JSON.parse(line)));
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
