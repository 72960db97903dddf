// tools/call: finds the tool, checks what it was given, runs it. Loaded at the first call.

import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { advise } from '../later-advice.ts';
import { nearest } from '../nearest.ts';
import { moreOfUpstreams } from '../router.ts';
import { errorWord } from '../wire/eras.ts';
import type { Call } from '../wire/peer.ts';
import { contextFor } from './context-for.ts';
import { definitionsFor } from './definitions.ts';
import { listTool } from './list-tool.ts';
import { readTool } from './read-tool.ts';
import { searchTool } from './search-tool.ts';
import type { Content, Tool, ToolArguments, ToolDefinition } from './tool.ts';

const RUNS = new Map<string, Tool['run']>([
  ['context_for', contextFor],
  ['search', searchTool],
  ['read_resource', readTool],
  ['list_resources', listTool],
  ['record_topic', async (context, given) => (await import('./record-topic.ts')).recordTopic(context, given)],
]);

export async function callTool(
  context: Context,
  params: Record<string, unknown>,
  call: Call | undefined,
): Promise<Answer> {
  const { name } = params;
  const definitions = definitionsFor(context.access);
  const definition = definitions.find((one) => one.name === name);
  if (definition === undefined) {
    if (!isOfUpstream(context, name)) throw unknownTool(name, definitions);
    return await callUpstream(context, params);
  }
  const given = checked(params.arguments ?? {}, definition);
  try {
    if (definition.writes) await context.audit?.announce(params);
    if (name === 'record_discovery') {
      return await (await import('./record-discovery.ts')).recordDiscovery(context, given, params, call);
    }
    const run = RUNS.get(definition.name) as Tool['run'];
    return { value: { content: await run(context, given) } };
  } catch (error) {
    if (!(error instanceof Failure) || error.message.startsWith('Invalid argument')) throw error;
    return { value: { content: failed(error, context), isError: true }, failed: wordOf(error) };
  }
}

/** An error of the server goes out as its own; that it cannot be asked is something to read. */
async function callUpstream(context: Context, params: Record<string, unknown>): Promise<Answer> {
  const { askOffer } = await import('../spaces/upstream.ts');
  try {
    // Only the other server knows what it changes.
    await context.audit?.announce(params);
    return await askOffer(context, params, 'tool');
  } catch (error) {
    if (!(error instanceof Failure) || (error.kind !== 'upstream' && error.kind !== 'store')) throw error;
    return { value: { content: failed(error, context), isError: true }, failed: wordOf(error) };
  }
}

/** What a model can read and act on: it may have tools and nothing else. */
function failed(failure: Failure, { access }: Context): Content[] {
  const { message, detail } = failure;
  const { reason } = detail;
  const { hint, setup, docs } = access.told?.(detail) ?? detail;
  const own = hint?.replaceAll('resources/list', 'list_resources');
  const error = { error: wordOf(failure), message: `${message}. ${reason}`, hint: own, setup, docs };
  return [{ type: 'text', text: JSON.stringify(error) }];
}

function wordOf({ kind, detail }: Failure): string {
  return detail.word ?? errorWord(kind);
}

function isOfUpstream(context: Context, name: unknown): boolean {
  return typeof name === 'string' && name.includes('__') && moreOfUpstreams(context, 'tools').nextCursor !== undefined;
}

/** The same for one that there is, and that this agent may not call. */
function unknownTool(name: unknown, definitions: readonly ToolDefinition[]): Failure {
  const names = definitions.map((one) => one.name);
  if (typeof name !== 'string') return wrong('Missing required parameter: name', 'params.name must be a string.');
  const near = nearest(name, names);
  return new Failure('invalid_params', `Unknown tool: ${name}`, {
    reason: `There is no tool ${JSON.stringify(name)}; there are ${names.join(', ') || 'none'}.`,
    ...advise('tool', near),
  });
}

/** The arguments as the tool's own schema says; what it does not name is passed over. */
function checked(given: unknown, { name, inputSchema }: ToolDefinition): ToolArguments {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw wrong('Invalid arguments', 'params.arguments must be an object.');
  }
  const values: ToolArguments = {};
  for (const [key, { type, enum: known }] of Object.entries(inputSchema.properties)) {
    const value = Object.hasOwn(given, key) ? (given as Record<string, unknown>)[key] : undefined;
    if (value === undefined || value === null) {
      if (inputSchema.required?.includes(key)) throw wrong(`Missing argument: ${key}`, `${name} needs ${key}.`);
    } else if (type === 'integer' ? !Number.isSafeInteger(value) : typeof value !== 'string') {
      throw wrong(`Invalid argument: ${key}`, `${key} must be ${type === 'integer' ? 'a whole number' : 'a string'}.`);
    } else if (known !== undefined && !known.includes(value as string)) {
      throw wrong(`Invalid argument: ${key}`, `${key} is one of ${known.join(', ')}.`);
    } else values[key] = value as string | number;
  }
  return values;
}

function wrong(message: string, reason: string): Failure {
  return new Failure('invalid_params', message, { reason, ...advise('toolArguments') });
}
