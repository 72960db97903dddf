// A minimal server on the SDK's second line.
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { texts } from '../texts.cjs';

serveStdio(() => {
  const server = new Server({ name: 'v2', version: '0' }, { capabilities: { resources: {} } });
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({
    contents: [{ uri, mimeType: 'text/markdown', text: texts[uri.split('/').at(-1)] }],
  }));
  return server;
});
