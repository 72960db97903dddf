// What a search finds, as it is shown to somebody: each text with its title, its section and its size.
// One function for the tool and for the terminal.

import { textsOf } from '../access.ts';
import type { Bundle, Texts } from '../bundle.ts';
import type { Context } from '../context.ts';
import { type Layer, withDiscoveries } from '../discovered.ts';
import { NOT_LISTED } from '../format.ts';
import { fromBundle } from '../router.ts';
import { DISCOVERIES_URI } from '../uri.ts';
import { besideOf } from './beside.ts';
import { type Found, search } from './search.ts';

export type Result = {
  /** The URI, with the anchor of the section; of a prompt, `prompt/` and its name. */
  uri: string;
  title: string;
  heading?: string;
  snippet: string;
  words: readonly string[];
  size?: number;
};

export type Results = { results: Result[]; total: number; corrected: NonNullable<Found['corrected']> };

const PROMPT_PREFIX = 'prompt/';

/** `space` is a scheme, or `prompt`; undefined: everywhere. */
export async function searchDescribed(
  context: Context,
  query: string,
  space: string | undefined,
  limit: number,
): Promise<Results> {
  const { may, everything } = context.access;
  const prefix = space === undefined ? undefined : space === 'prompt' ? PROMPT_PREFIX : `${space}://`;
  const accepts = prefix === undefined ? {} : { accepts: (key: string): boolean => key.startsWith(prefix) };
  const inBundle = (bundle: Bundle, layer: Layer | undefined): Results => {
    const texts = textsOf(context.access, bundle);
    const beside = layer === undefined ? undefined : besideOf(layer(bundle).texts());
    const {
      hits,
      total,
      corrected = [],
    } = search(bundle, query, {
      limit,
      may,
      everything,
      beside,
      texts,
      ...accepts,
    });
    const results = hits.map(({ key, anchor, heading, snippet, words }) => ({
      ...describe(bundle, key, texts),
      uri: anchor === undefined ? key : `${key}#${anchor}`,
      ...(heading === undefined ? {} : { heading }),
      snippet,
      words,
    }));
    return { results, total, corrected };
  };
  return withDiscoveries(context, (layer) => fromBundle(context, undefined, (bundle) => inBundle(bundle, layer)));
}

function describe(bundle: Bundle, key: string, texts: Texts): { title: string; size?: number } {
  if (key === DISCOVERIES_URI) return { title: 'Discoveries' };
  const row = bundle.find(key)?.row;
  const place = row?.place ?? NOT_LISTED;
  if (place === NOT_LISTED)
    return { title: `Prompt: ${key.slice(PROMPT_PREFIX.length)}`, size: texts.findText(key)?.rawLength ?? 0 };
  const { title, name, size } = JSON.parse(bundle.entry(place).json.toString('utf8'));
  return { title: title ?? name, ...(size === undefined ? {} : { size }) };
}
