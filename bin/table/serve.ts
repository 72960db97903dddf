// The row of `serve`. It stands alone because it is part of the start file, with its body.

import type { Command } from '../command.ts';
import { serve } from '../commands/serve.ts';
import { AGENT, BUNDLE, MAP, ROOT, STORE, TRUST_UPSTREAMS } from '../options.ts';

export const SERVE: Command = {
  name: 'serve',
  summary: 'serve a bundle over MCP, on stdio or HTTP',
  options: [
    ROOT,
    BUNDLE,
    MAP,
    {
      name: 'http',
      value: '[host:]port',
      about: 'serve at /mcp over HTTP; 127.0.0.1 unless said, port 0 picks a free one',
    },
    AGENT,
    STORE,
    { name: 'require-digest', value: 'sha256:…', about: 'serve the bundle with this digest, and no other' },
    { name: 'audit', value: 'file', about: 'write down every access: who read what, when, never the content' },
    TRUST_UPSTREAMS,
    { name: 'verbose', about: 'say on stderr what is served and how' },
  ],
  examples: [
    { line: 'fieldguide serve', does: 'what a client runs; it speaks MCP on stdin and stdout' },
    { line: 'fieldguide serve --bundle /srv/guides/shop.fgb', does: 'serve one bundle file' },
    { line: 'fieldguide serve --http 8080', does: 'serve http://127.0.0.1:8080/mcp' },
    { line: 'fieldguide serve --agent reviewer', does: 'serve what this agent of project.yaml may read' },
    { line: 'fieldguide serve --require-digest sha256:9f2c…', does: 'refuse any other bundle' },
    { line: 'fieldguide serve --audit audit.log', does: 'keep a record of what was read' },
  ],
  run: serve,
};
