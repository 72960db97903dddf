// A client of HTTP for benchmarks: the request is bytes made before, the answer is counted, not understood. So
// little of what is measured is the client's.

import { connect, type Socket } from 'node:net';

export type Target = { port: number; path: string; headers: Record<string, string>; body: string };

const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

export function modernRead(port: number, uri: string): Target {
  const params = { uri, _meta: MODERN };
  return {
    port,
    path: '/mcp',
    headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'resources/read', 'Mcp-Name': uri },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'resources/read', params }),
  };
}

export function requestBytes({ port, path, headers, body }: Target): Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

const UNKNOWN = -1;
/** Without a length the answer ends with an empty chunk. */
const CHUNKED = Number.POSITIVE_INFINITY;
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** One connection that is kept: asks, waits for the whole answer, gives its length. */
export class Connection {
  readonly #socket: Socket;
  #heard: Buffer = Buffer.alloc(0);
  #length = UNKNOWN;
  #waiting: { resolve(bytes: number): void; reject(error: Error): void } | undefined;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay(true);
    this.#socket.on('data', (chunk) => this.#take(chunk));
    const failed = (): void => this.#waiting?.reject(new Error('the connection was closed'));
    this.#socket.on('error', failed);
    this.#socket.on('close', failed);
  }

  async ask(request: Buffer): Promise<number> {
    return await new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  end(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#heard = this.#heard.length === 0 ? chunk : Buffer.concat([this.#heard, chunk]);
    if (this.#length === UNKNOWN) {
      const end = this.#heard.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = this.#heard.toString('latin1', 0, end);
      if (!head.startsWith('HTTP/1.1 200')) throw new Error(head);
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      this.#length = length === undefined ? CHUNKED : end + 4 + Number(length);
    }
    const isWhole =
      this.#length === CHUNKED ? this.#heard.subarray(-5).equals(LAST_CHUNK) : this.#heard.length >= this.#length;
    if (!isWhole) return;
    const { length } = this.#heard;
    this.#heard = Buffer.alloc(0);
    this.#length = UNKNOWN;
    this.#waiting?.resolve(length);
  }
}

export async function load(target: Target, connections: number, forMs: number): Promise<number> {
  const request = requestBytes(target);
  const start = performance.now();
  let answered = 0;
  const one = async (): Promise<void> => {
    const connection = new Connection(target.port);
    while (performance.now() - start < forMs) {
      await connection.ask(request);
      answered++;
    }
    connection.end();
  };
  await Promise.all(Array.from({ length: connections }, one));
  return (answered / (performance.now() - start)) * 1000;
}
