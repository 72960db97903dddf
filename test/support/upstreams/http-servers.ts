// Servers over HTTP for tests: one with a handshake and sessions, one without, both by the SDK; and one written by hand
// for what no SDK would do. All on the loopback address, gone when the test is over.

import { randomUUID } from 'node:crypto';
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, isInitializeRequest, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';

export type Running = {
  url: string;
  requests: { method: string; headers: IncomingMessage['headers'] }[];
  stop(): Promise<void>;
};

function serverOf(era: string): McpServer {
  const server = new McpServer(
    { name: era, version: '1' },
    { capabilities: { resources: { subscribe: true, listChanged: true } } },
  );
  server.registerResource('notes', 'notes://all', { mimeType: 'text/plain' }, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: `notes of ${era}` }],
  }));
  server.registerResource(
    'note',
    new ResourceTemplate('notes://one/{id}', { list: undefined }),
    {},
    async (uri, { id }) => ({
      contents: [{ uri: uri.href, text: `note ${id}` }],
    }),
  );
  return server;
}

/** With a handshake: a session for each client, lost when `forget` is called. */
export async function legacyServer(t: TestContext, port = 0): Promise<Running & { forget(): void }> {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const running = await listening(
    t,
    async (request, response) => {
      const id = request.headers['mcp-session-id'];
      const known = typeof id === 'string' ? sessions.get(id) : undefined;
      if (known !== undefined) return await known.handleRequest(request, response);
      const body = request.method === 'POST' ? JSON.parse(await bodyOf(request)) : undefined;
      if (id !== undefined || !isInitializeRequest(body)) {
        response.writeHead(id === undefined ? 400 : 404, { 'content-type': 'application/json' });
        return void response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No session"}}');
      }
      const transport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (session) => void sessions.set(session, transport),
      });
      await serverOf('legacy').connect(transport);
      return await transport.handleRequest(request, response, body);
    },
    port,
  );
  return { ...running, forget: () => sessions.clear() };
}

/** Without one. `tell` says that a resource changed. */
export async function modernServer(t: TestContext): Promise<Running & { tell(uri: string): void }> {
  const handler = createMcpHandler(() => serverOf('modern'), { legacy: 'reject' });
  const node = toNodeHandler(handler);
  const running = await listening(t, async (request, response) => await node(request as never, response));
  return { ...running, tell: (uri) => handler.notify.resourceUpdated(uri) };
}

/** Answers by hand. */
export async function listening(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void,
  port = 0,
): Promise<Running> {
  const requests: Running['requests'] = [];
  const server: HttpServer = createServer((request, response) => {
    requests.push({ method: request.method ?? '', headers: request.headers });
    Promise.resolve(answer(request, response)).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  t.after(stop);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, requests, stop };
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}
