// The SDK's own handler for both eras, over one text that it has in memory: what a server on it can reach at best.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

const { result } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const handler = createMcpHandler(() => {
  const made = new Server({ name: 'sdk', version: '0' }, { capabilities: { resources: {} } });
  made.setRequestHandler('resources/read', () => ({ contents: result.contents }));
  return made;
});
const server = createServer(toNodeHandler(handler));
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
