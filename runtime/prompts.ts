// Prompts: the list as it was compiled, and one of them with its values filled in. Loaded, and looked up in
// the bundle, at the first request for one.

import { textsOf } from './access.ts';
import type { Answer } from './answer.ts';
import type { Bundle } from './bundle.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { BundleError, unescapeText } from './format.ts';
import { advise } from './later-advice.ts';
import { nearest } from './nearest.ts';
import { type Block, readBlocks } from './prompt-embeds.ts';
import { fromBundle, listUpstreams, moreOfUpstreams } from './router.ts';

export type Prompt = {
  name: string;
  title?: string;
  description?: string;
  arguments?: readonly { name: string; description?: string; required?: boolean }[];
};

/** The record `prompts`. `needs` is what one must be allowed to read to be offered the prompt. */
type Catalogue = { prompts: readonly Prompt[]; content?: unknown; embeds?: readonly Embeds[] };
type Embeds = { prompt: string; uris: readonly string[]; needs: readonly string[] };

type May = (uri: string) => boolean;

const MOST_VALUE = 10_000;
/** A value may stand in a text many times; the answer has an end all the same. */
const MOST_FILLED = 4 * 1024 * 1024;
const PLACEHOLDER = /\{\{[ \t]*([A-Za-z0-9._-]{1,64})[ \t]*\}\}/g;

/** Ours are one page; those of other servers come after it. */
export async function listPrompts(context: Context, cursor: string | undefined): Promise<Answer> {
  if (cursor !== undefined) return await listUpstreams(context, 'prompts', cursor);
  const { value } = listOwnPrompts(context);
  return { value: { ...value, ...moreOfUpstreams(context, 'prompts') } };
}

export function listOwnPrompts(context: Context): { value: Record<string, unknown> } {
  return fromBundle(context, undefined, (bundle) => ({
    value: { prompts: visible(catalogueOf(bundle), context.access.may) },
  }));
}

export function getPrompt(context: Context, params: Record<string, unknown>): Answer | Promise<Answer> {
  const { name } = params;
  if (typeof name !== 'string') {
    throw invalid('Missing required parameter: name', 'params.name must be a string.', advise('prompt'));
  }
  if (name.includes('__') && moreOfUpstreams(context, 'prompts').nextCursor !== undefined) {
    return import('./spaces/upstream.ts').then(({ askOffer }) => askOffer(context, params, 'prompt'));
  }
  const given = givenValues(params.arguments);
  const { uris, answer } = fromBundle(context, undefined, (bundle) => {
    const catalogue = catalogueOf(bundle);
    const prompt = choose(catalogue, name, context.access.may);
    const stored = textsOf(context.access, bundle).findText(keyOf(name));
    if (stored === undefined) throw new BundleError('damaged', 'A prompt has no text.');
    const values = valuesFor(prompt, given);
    const text: Block = { type: 'text', text: fill(textOf(stored.stored), values) };
    const { description } = prompt;
    const message = (block: Block) => ({ role: 'user', content: catalogue.content === 'parts' ? [block] : block });
    return {
      uris: embedsOf(catalogue, name)?.uris.map((uri) => fill(uri, values)) ?? [],
      answer: (before: readonly Block[]): Answer => ({
        value: { ...(description === undefined ? {} : { description }), messages: [...before, text].map(message) },
      }),
    };
  });
  return uris.length === 0 ? answer([]) : readBlocks(context, uris).then(answer);
}

/** The prompt of a name, if it may be seen; throws Failure, the same whether it is denied or not there. */
export function findPrompt(bundle: Bundle, name: string, may: May): Prompt {
  return choose(catalogueOf(bundle), name, may);
}

function choose(catalogue: Catalogue, name: string, may: May): Prompt {
  const prompt = may(keyOf(name)) ? catalogue.prompts.find((one) => one.name === name) : undefined;
  if (prompt !== undefined) return prompt;
  const names = visible(catalogue, may).map((one) => one.name);
  const near = nearest(name, names);
  throw invalid(`Unknown prompt: ${name.slice(0, 80)}`, 'There is no prompt of this name.', advise('prompt', near));
}

/** A bundle made before there were prompts has none. */
function catalogueOf(bundle: Bundle): Catalogue {
  const record = bundle.findText('prompts');
  if (record === undefined) return { prompts: [] };
  const catalogue = parsed(textOf(record.stored)) as Catalogue | null;
  const embeds: unknown = catalogue?.embeds ?? [];
  if (!Array.isArray(catalogue?.prompts) || !Array.isArray(embeds) || !embeds.every(isEmbeds)) {
    throw new BundleError('damaged', 'Its list of prompts cannot be read.');
  }
  return catalogue as Catalogue;
}

function isEmbeds(one: Partial<Embeds> | null): boolean {
  return [one?.uris, one?.needs].every((list) => Array.isArray(list) && list.every((uri) => typeof uri === 'string'));
}

function visible(catalogue: Catalogue, may: May): readonly Prompt[] {
  return catalogue.prompts.filter(({ name }) => may(keyOf(name)));
}

function embedsOf({ embeds }: Catalogue, name: string): Embeds | undefined {
  return embeds?.find(({ prompt }) => prompt === name);
}

function keyOf(name: string): string {
  return `prompt/${name}`;
}

function textOf(stored: Buffer): string {
  try {
    return unescapeText(stored);
  } catch {
    throw new BundleError('damaged', 'A text is not as it was written.');
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function givenValues(given: unknown): ReadonlyMap<string, unknown> {
  if (given === undefined || given === null) return new Map();
  if (typeof given === 'object' && !Array.isArray(given)) return new Map(Object.entries(given));
  throw invalid('Invalid arguments', 'params.arguments must be an object of names and values.');
}

/** What each declared argument stands for; what is not declared is passed over. */
function valuesFor(prompt: Prompt, given: ReadonlyMap<string, unknown>): ReadonlyMap<string, string> {
  const asked = prompt.arguments ?? [];
  const missing = asked.filter(({ name, required }) => required === true && given.get(name) === undefined);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    const wanted = missing.map(({ name, description }) => `${name}: ${description ?? 'a text'}`).join('; ');
    throw invalid(`Missing required argument: ${names}`, `${prompt.name} cannot be made without it (${wanted}).`);
  }
  return new Map(asked.map(({ name }) => [name, checkedValue(name, given.has(name) ? given.get(name) : '')]));
}

function checkedValue(name: string, value: unknown): string {
  if (typeof value !== 'string') throw invalid(`Invalid argument: ${name}`, 'The value of an argument is a string.');
  if (value.length <= MOST_VALUE) return value;
  throw invalid(`Invalid argument: ${name}`, `A value has at most ${MOST_VALUE} characters; this has ${value.length}.`);
}

/** In one pass: nothing that a value holds is ever looked at again. */
function fill(text: string, values: ReadonlyMap<string, string>): string {
  let left = MOST_FILLED;
  return text.replace(PLACEHOLDER, (written, name: string) => {
    const value = values.get(name) ?? written;
    left -= value.length;
    if (left < 0) throw invalid('Invalid arguments', 'Filled in, the prompt is too long; give shorter values.');
    return value;
  });
}

function invalid(message: string, reason: string, advice = advise('promptArguments')): Failure {
  return new Failure('invalid_params', message, { reason, ...advice });
}
