// A plain proxy before several servers: each request goes to the next one, or, sticky, those of a session to the
// server that began it. A server that cannot be reached is passed over for the next.

import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export type RoundRobin = {
  url: string;
  /** How many requests each server got. */
  counts: number[];
};

export async function roundRobin(t: TestContext, origins: readonly string[], isSticky = false): Promise<RoundRobin> {
  const counts = origins.map(() => 0);
  const owners = new Map<string, number>();
  let next = 0;
  const forward = (near: IncomingMessage, response: ServerResponse, body: Buffer, n: number, left: number): void => {
    const { host: _, ...headers } = near.headers;
    const far = request(new URL(near.url ?? '/', origins[n]), { method: near.method ?? 'GET', headers, agent: false });
    far.on('response', (answer) => {
      counts[n] = (counts[n] ?? 0) + 1;
      const session = answer.headers['mcp-session-id'];
      if (typeof session === 'string') owners.set(session, n);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    far.on('error', (error: NodeJS.ErrnoException) => {
      if (response.headersSent || left === 0 || error.code !== 'ECONNREFUSED') return void response.destroy();
      forward(near, response, body, (n + 1) % origins.length, left - 1);
    });
    response.on('close', () => far.destroy());
    far.end(body);
  };
  const server = createServer(async (near, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of near) chunks.push(chunk);
    const session = near.headers['mcp-session-id'];
    const owner = isSticky && typeof session === 'string' ? owners.get(session) : undefined;
    forward(near, response, Buffer.concat(chunks), owner ?? next++ % origins.length, origins.length - 1);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, counts };
}
