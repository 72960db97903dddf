// One server process as the benchmark drives it: raw pipes, so that no client's cost is measured.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const HANDSHAKE = [
  {
    jsonrpc: '2.0',
    id: 'hello',
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '0' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
];

/** The marker of an answer to a read; ids of the handshake are strings. */
const READ_ID = 7;

export function readLine(uri: string): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id: READ_ID, method: 'resources/read', params: { uri } })}\n`;
}

export function callLine(name: string, given: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id: READ_ID, method: 'tools/call', params: { name, arguments: given } })}\n`;
}

export function environment(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  return env;
}

export class Server {
  readonly child: ChildProcess;
  readonly startedAt = performance.now();
  readonly #firstRead: Promise<number>;
  onData: ((chunk: Buffer) => void) | undefined;

  /** `line` is its first request. */
  constructor(args: string[], line: string) {
    this.child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], env: environment() });
    this.#firstRead = new Promise((resolve, reject) => {
      let seen = '';
      this.child.on('exit', () => reject(new Error(`${args.join(' ')} ended before it answered`)));
      this.child.stdout?.on('data', (chunk: Buffer) => {
        if (this.onData !== undefined) return this.onData(chunk);
        seen += chunk.toString('latin1');
        if (new RegExp(`"id":${READ_ID}[,}]`).test(seen) && seen.endsWith('\n'))
          resolve(performance.now() - this.startedAt);
      });
    });
    this.child.stdin?.write(HANDSHAKE.map((line) => `${JSON.stringify(line)}\n`).join('') + line);
  }

  /** Milliseconds from spawn to the first answer. */
  firstReadMs(): Promise<number> {
    return this.#firstRead;
  }

  /** Bytes of memory that belong to no file. */
  anonymousBytes(): number {
    const rollup = readFileSync(`/proc/${this.child.pid}/smaps_rollup`, 'utf8');
    return Number(/^Anonymous:\s+(\d+) kB/m.exec(rollup)?.[1]) * 1024;
  }

  /** Processor time used so far. */
  cpuMs(): number {
    const fields = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  /** Reads for `forMs` with `depth` requests in flight; gives reads a second and CPU for each. */
  async load(uri: string, depth: number, forMs: number): Promise<{ perSecond: number; cpuUs: number }> {
    const line = readLine(uri);
    let answered = 0;
    let inFlight = depth;
    const cpuBefore = this.cpuMs();
    const start = performance.now();
    const done = new Promise<void>((resolve) => {
      this.onData = (chunk) => {
        let count = 0;
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count++;
        if (count === 0) return;
        answered += count;
        inFlight -= count;
        if (performance.now() - start < forMs) {
          inFlight += count;
          this.child.stdin?.write(line.repeat(count));
        } else if (inFlight === 0) resolve();
      };
    });
    this.child.stdin?.write(line.repeat(depth));
    await done;
    const elapsed = performance.now() - start;
    return { perSecond: (answered / elapsed) * 1000, cpuUs: ((this.cpuMs() - cpuBefore) / answered) * 1000 };
  }

  async end(): Promise<void> {
    this.child.removeAllListeners('exit');
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}
