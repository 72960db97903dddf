// What `serve` says to a person: what is served, from where, and how a client is connected.

import { relative } from 'node:path';
import type { Context } from '../../runtime/context.ts';
import { BUNDLE_FILE } from '../../runtime/current.ts';
import { decodeRecord } from '../../runtime/value.ts';

export function greeting(context: Context, onTerminal: boolean): string {
  const args = [process.argv[1], 'serve', '--root', process.cwd()];
  const command = `node ${relative(process.cwd(), process.argv[1] ?? '') || 'fieldguide.cjs'} serve`;
  return [
    what(context),
    'An MCP client starts this server by itself; tell it the command, for example in .mcp.json:',
    `  ${JSON.stringify({ mcpServers: { fieldguide: { command: 'node', args } } })}`,
    'To look at it here: fieldguide read context://project/overview, or one line of JSON:',
    `  echo '{"jsonrpc":"2.0","id":1,"method":"resources/list"}' | ${command}`,
    ...(onTerminal ? ['Listening on stdin; Ctrl-C or Ctrl-D ends.'] : []),
    '',
  ].join('\n');
}

function what(context: Context): string {
  const bundle = context.bundle.find();
  if (bundle === undefined)
    return `fieldguide: no ${BUNDLE_FILE} to serve yet; run \`fieldguide build\`, it is taken up by itself.`;
  const record = bundle.findValueRecord('about');
  const name = record === undefined ? 'a bundle' : String((decodeRecord(record)[1] as { name?: unknown }).name);
  const how = bundle.bytes.mapped ? 'memory-mapped' : 'by positioned reads';
  return `fieldguide: serving ${name} on stdio: ${bundle.listLength} resources, ${bundle.bytes.length} bytes ${how}, sha256:${bundle.digest.slice(0, 12)}…`;
}
