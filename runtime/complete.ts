// Completion of the arguments of templates and prompts: names and paths that start with what was typed, or, when none
// does, that contain it. Loaded at the first request for it.

import type { Answer } from './answer.ts';
import type { Bundle } from './bundle.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { GuideIndex } from './guide-index.ts';
import { advise } from './later-advice.ts';
import { nearest } from './nearest.ts';
import { findPrompt } from './prompts.ts';
import { fromBundle } from './router.ts';
import { moduleNames } from './spaces/context.ts';
import { knownFiles } from './spaces/for.ts';
import { categoryUri, collectionUri, DISCOVERY_TYPES, documentUri, encodePath } from './uri.ts';

/** The protocol's limit. */
const MOST_VALUES = 100;
/** Candidates looked at for a value in the middle of a name. */
const MOST_LOOKED_AT = 5000;

type Asked = { bundle: Bundle; may: (uri: string) => boolean; given: ReadonlyMap<string, string> };

/** Candidates for an argument; all of them, or only those that start with `prefix`. */
type Candidates = (asked: Asked, prefix: string) => Iterable<string>;

const TEMPLATES = new Map<string, Map<string, Candidates>>([
  ['context://module/{name}', new Map([['name', modules]])],
  ['context://sessions/recent{?limit}', new Map([['limit', () => ['5', '10', '20', '50', '100']]])],
  [
    'context://discoveries{?type,module}',
    new Map<string, Candidates>([
      ['type', () => DISCOVERY_TYPES],
      ['module', modules],
    ]),
  ],
  ['context://for/{+path}', new Map([['path', files]])],
  ['guide://collection/{id}', new Map([['id', collections]])],
  ['guide://category/{name}', new Map([['name', categories]])],
  ['guide://category/{name}/{docId}', new Map([['name', categories], documentsOf('name')])],
  ['guide://document/{context}/{docId}', new Map([['context', contexts], documentsOf('context')])],
]);

/** Arguments of prompts that name what the bundle knows; nothing is known of any other. */
const PROMPT_ARGUMENTS = new Map<string, Candidates>([
  ['module', modules],
  ['category', categories],
  ['collection', collections],
]);

export function complete(context: Context, params: Record<string, unknown>): Answer {
  const { name, value } = argumentOf(params.argument);
  const candidates = candidatesFor(params.ref, name);
  const given = givenArguments(params.context);
  return fromBundle(context, undefined, (bundle) => {
    const asked = { bundle, may: context.access.may, given };
    const starting = take(candidates(asked, value), (candidate) => startsWith(candidate, value));
    const found = starting.length > 0 ? starting : take(bounded(candidates(asked, '')), contains(value));
    const values = found.slice(0, MOST_VALUES);
    const hasMore = found.length > values.length;
    return { value: { completion: { values, ...(hasMore ? {} : { total: values.length }), hasMore } } };
  });
}

function modules({ bundle, may }: Asked): Iterable<string> {
  return moduleNames(bundle, may);
}

function files({ bundle, may }: Asked): Iterable<string> {
  return knownFiles(bundle, may);
}

function categories({ bundle, may }: Asked): string[] {
  return new GuideIndex(bundle).names().categories.filter((name) => may(categoryUri(name)));
}

function collections({ bundle, may }: Asked): string[] {
  return new GuideIndex(bundle).names().collections.filter((id) => may(collectionUri(id)));
}

/** A name that is both counts as a category, as it does when it is read. */
function contexts(asked: Asked): Set<string> {
  return new Set([...categories(asked), ...collections(asked)]);
}

/** Paths of the category or collection that another argument names; none while that is not given. */
function documentsOf(argument: string): [string, Candidates] {
  return [
    'docId',
    function* ({ bundle, may, given }, prefix) {
      const index = new GuideIndex(bundle);
      const name = given.get(argument) ?? '';
      const category = index.category(name);
      const collection = category === undefined && argument === 'context' ? index.collection(name) : undefined;
      const found = category ? index.withPrefix(category, prefix) : collection ? index.chosen(collection) : [];
      const names = index.names().categories;
      for (const { n, path } of found) {
        const own = documentUri(names[index.row(n).category] ?? '', path);
        const asked = argument === 'name' ? `${categoryUri(name)}/${encodePath(path)}` : documentUri(name, path);
        if (may(own) && may(asked)) yield path;
      }
    },
  ];
}

/** One more than may be given, so that it shows when there are more. */
function take(candidates: Iterable<string>, accepts: (candidate: string) => boolean): string[] {
  const found: string[] = [];
  for (const candidate of candidates) {
    if (accepts(candidate)) found.push(candidate);
    if (found.length > MOST_VALUES) break;
  }
  return found;
}

function* bounded(candidates: Iterable<string>): Generator<string> {
  let left = MOST_LOOKED_AT;
  for (const candidate of candidates) {
    if (left-- === 0) return;
    yield candidate;
  }
}

function startsWith(candidate: string, value: string): boolean {
  return candidate.slice(0, value.length).toLowerCase() === value.toLowerCase();
}

function contains(value: string): (candidate: string) => boolean {
  const wanted = value.toLowerCase();
  return (candidate) => candidate.toLowerCase().includes(wanted);
}

function argumentOf(argument: unknown): { name: string; value: string } {
  const { name, value } = (argument ?? {}) as Record<string, unknown>;
  if (typeof name === 'string' && typeof value === 'string') return { name, value };
  throw invalid('Missing required parameter: argument', 'params.argument must be { name, value }, both strings.');
}

function givenArguments(context: unknown): Map<string, string> {
  const given = (context as { arguments?: unknown } | null | undefined)?.arguments;
  if (typeof given !== 'object' || given === null) return new Map();
  return new Map(Object.entries(given).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}

function candidatesFor(ref: unknown, argument: string): Candidates {
  const { type, uri, name } = (ref ?? {}) as Record<string, unknown>;
  if (type === 'ref/prompt' && typeof name === 'string') {
    return (asked, prefix) => promptCandidates(name, argument, asked, prefix);
  }
  if (type !== 'ref/resource' || typeof uri !== 'string') {
    const resource = '{ type: "ref/resource", uri }, uri being a template';
    throw invalid('Invalid reference', `params.ref must be ${resource}, or { type: "ref/prompt", name }.`);
  }
  const template = TEMPLATES.get(uri);
  if (template === undefined) {
    const near = nearest(uri, TEMPLATES.keys());
    throw invalid('Unknown template', `There is no template ${JSON.stringify(uri)}.`, near);
  }
  const candidates = template.get(argument);
  if (candidates !== undefined) return candidates;
  const known = [...template.keys()].join(', ');
  throw invalid('Unknown argument', `The template has no argument ${JSON.stringify(argument)}; it has ${known}.`);
}

function promptCandidates(name: string, argument: string, asked: Asked, prefix: string): Iterable<string> {
  const known = (findPrompt(asked.bundle, name, asked.may).arguments ?? []).map((one) => one.name);
  if (known.includes(argument)) return PROMPT_ARGUMENTS.get(argument)?.(asked, prefix) ?? [];
  const reason = `The prompt has no argument ${JSON.stringify(argument.slice(0, 80))}.`;
  throw invalid('Unknown argument', reason, nearest(argument, known));
}

function invalid(message: string, reason: string, near?: string): Failure {
  return new Failure('invalid_params', message, {
    reason,
    ...advise(message === 'Unknown argument' ? 'argument' : 'template', near),
  });
}
