// The row of `serve`. It stands alone because it is part of the start file, with its body.

import type { Command } from '../command.ts';
import { serve } from '../commands/serve.ts';
import { BUNDLE, MAP, ROOT } from '../options.ts';

export const SERVE: Command = {
  name: 'serve',
  summary: 'serve a bundle over MCP on stdio',
  options: [
    ROOT,
    BUNDLE,
    MAP,
    { name: 'require-digest', value: 'sha256:…', about: 'serve the bundle with this digest, and no other' },
    { name: 'verbose', about: 'say on stderr what is served and how' },
  ],
  examples: [
    { line: 'fieldguide serve', does: 'what a client runs; it speaks MCP on stdin and stdout' },
    { line: 'fieldguide serve --bundle /srv/guides/shop.fgb', does: 'serve one bundle file' },
    { line: 'fieldguide serve --require-digest sha256:9f2c…', does: 'refuse any other bundle' },
  ],
  run: serve,
};
