// A minimal server on the SDK's first line.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ReadResourceRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { texts } from '../texts.cjs';

const server = new Server({ name: 'v1', version: '0' }, { capabilities: { resources: {} } });
server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => ({
  contents: [{ uri, mimeType: 'text/markdown', text: texts[uri.split('/').at(-1)] }],
}));
await server.connect(new StdioServerTransport());
