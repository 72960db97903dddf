// What `serve` says to a person: what is served, from where, and how a client is connected.

import type { Bundle } from '../../runtime/bundle.ts';
import type { Context } from '../../runtime/context.ts';
import { BUNDLE_FILE } from '../../runtime/current.ts';
import { decodeRecord } from '../../runtime/value.ts';
import type { Args } from '../args.ts';
import { bundlePathOf, rootOf } from '../where.ts';

export function greeting(context: Context, given: Args, onTerminal: boolean): string {
  const bundle = given.values.get('bundle');
  const where = bundle === undefined ? ['--root', rootOf(given)] : ['--bundle', bundlePathOf(given)];
  const required = given.values.get('require-digest');
  const passedOn = ['agent', 'require-digest'].flatMap((name) => {
    const value = given.values.get(name);
    return value === undefined ? [] : [`--${name}`, value];
  });
  const args = [process.argv[1], 'serve', ...where, ...passedOn];
  const command = ['node', ...args].join(' ');
  return [
    what(context, required),
    'An MCP client starts this server by itself; tell it the command, for example in .mcp.json:',
    `  ${JSON.stringify({ mcpServers: { fieldguide: { command: 'node', args } } })}`,
    'To look at it here, one line of JSON:',
    `  echo '{"jsonrpc":"2.0","id":1,"method":"resources/list"}' | ${command}`,
    ...(onTerminal ? ['Listening on stdin; Ctrl-C or Ctrl-D ends.'] : []),
    '',
  ].join('\n');
}

function what(context: Context, required: string | undefined): string {
  const bundle = context.bundle.find();
  if (bundle === undefined && required !== undefined)
    return 'fieldguide: the required bundle is not there yet; once it is, it is taken up by itself.';
  if (bundle === undefined)
    return `fieldguide: no ${BUNDLE_FILE} to serve yet; run \`fieldguide build\`, it is taken up by itself.`;
  const name = projectName(bundle);
  const how = bundle.bytes.mapped ? 'memory-mapped' : 'by positioned reads';
  return `fieldguide: serving ${name} on stdio: ${bundle.listLength} resources, ${bundle.bytes.length} bytes ${how}, sha256:${bundle.digest.slice(0, 12)}…`;
}

/** A bundle whose own description is damaged may still answer everything else. */
function projectName(bundle: Bundle): string {
  try {
    const record = bundle.findValueRecord('about');
    const about = record === undefined ? undefined : decodeRecord(record)[1];
    return String((about as { name?: unknown } | null | undefined)?.name ?? 'a bundle');
  } catch {
    return 'a bundle';
  }
}
