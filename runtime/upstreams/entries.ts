// Entries of another server's lists as they stand among ours: under a URI or a name of ours, with their origin. Clients
// refuse a whole list for one value of a wrong type, so what is wrong is left out; an entry without what names it, too.

import { addressOf } from './groups-of.ts';

type Values = Record<string, unknown>;

const ORIGIN_KEY = 'fieldguide/upstream';

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

export function originOf(group: string, more: Values, meta?: unknown): Values {
  return { ...(isObject(meta) ? meta : {}), [ORIGIN_KEY]: { group, ...more } };
}

/** Undefined for what cannot be listed. */
export function ownResource(group: string, entry: unknown): Values | undefined {
  if (!isObject(entry) || typeof entry.uri !== 'string') return undefined;
  const address = addressOf(group, entry.uri);
  if (address === undefined) return undefined;
  const size = typeof entry.size === 'number' && entry.size >= 0 ? { size: entry.size } : {};
  return {
    uri: address.uri,
    name: typeof entry.name === 'string' ? entry.name : entry.uri,
    ...described(entry),
    ...size,
    _meta: originOf(group, { uri: entry.uri }, entry._meta),
  };
}

export function ownTemplate(group: string, entry: unknown): Values | undefined {
  if (!isObject(entry) || typeof entry.uriTemplate !== 'string') return undefined;
  const { uriTemplate } = entry;
  return {
    uriTemplate: `upstream://${group}/${uriTemplate}`,
    name: typeof entry.name === 'string' ? entry.name : uriTemplate,
    ...described(entry),
    _meta: originOf(group, { uriTemplate }, entry._meta),
  };
}

/** A prompt or a tool; what belongs to it alone stays as it is where it has the right shape. */
export function ownOffer(group: string, entry: unknown, kind: 'prompts' | 'tools'): Values | undefined {
  if (!isObject(entry) || typeof entry.name !== 'string' || !/^[\w.-]{1,90}$/.test(entry.name)) return undefined;
  if (kind === 'tools' && !isObject(entry.inputSchema)) return undefined;
  const own =
    kind === 'tools'
      ? {
          ...pick(entry, 'inputSchema', isObject),
          ...pick(entry, 'outputSchema', isObject),
          ...pick(entry, 'annotations', isObject),
        }
      : pick(entry, 'arguments', areArguments);
  return {
    name: `${group}__${entry.name}`,
    ...pick(entry, 'title', isText),
    ...pick(entry, 'description', isText),
    ...own,
    ...pick(entry, 'icons', areIcons),
    _meta: originOf(group, { name: entry.name }, entry._meta),
  };
}

function described(entry: Values): Values {
  return {
    ...pick(entry, 'title', isText),
    ...pick(entry, 'description', isText),
    ...pick(entry, 'mimeType', isText),
    ...pick(entry, 'icons', areIcons),
    ...annotationsOf(entry.annotations),
  };
}

function annotationsOf(given: unknown): Values {
  if (!isObject(given)) return {};
  const annotations = {
    ...pick(given, 'audience', (value) => isListOf(value, (one) => one === 'user' || one === 'assistant')),
    ...pick(given, 'priority', (value) => typeof value === 'number' && value >= 0 && value <= 1),
    ...pick(
      given,
      'lastModified',
      (value) => isText(value) && DATE_TIME.test(value) && !Number.isNaN(Date.parse(value)),
    ),
  };
  return Object.keys(annotations).length === 0 ? {} : { annotations };
}

function areIcons(value: unknown): boolean {
  return isListOf(
    value,
    (icon) =>
      isObject(icon) &&
      isText(icon.src) &&
      (icon.mimeType === undefined || isText(icon.mimeType)) &&
      (icon.sizes === undefined || isListOf(icon.sizes, isText)) &&
      (icon.theme === undefined || icon.theme === 'light' || icon.theme === 'dark'),
  );
}

function areArguments(value: unknown): boolean {
  return isListOf(
    value,
    (one) =>
      isObject(one) &&
      isText(one.name) &&
      (one.description === undefined || isText(one.description)) &&
      (one.required === undefined || typeof one.required === 'boolean'),
  );
}

function pick(from: Values, key: string, isRight: (value: unknown) => boolean): Values {
  return isRight(from[key]) ? { [key]: from[key] } : {};
}

function isListOf(value: unknown, isRight: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isRight);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
