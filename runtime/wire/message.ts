// An outcome as the message that goes out, in parts: what is stored ready for the wire is never copied or parsed.
// What is audited is written down here, because here it is known what leaves.

import type { Part } from '../answer.ts';
import type { Context } from '../context.ts';
import { readSettings } from '../settings.ts';
import type { Id, Outcome } from './dispatch.ts';
import { errorObject, NOT_KEPT, stamps } from './eras.ts';

export function messageParts(context: Context, id: Id, outcome: Outcome): Part[] {
  const { audited } = outcome;
  let said = outcome;
  let parts: Part[];
  try {
    parts = partsOf(context, id, said);
  } catch (error) {
    // What another server nests deeper than it can be written is this request's failure alone.
    context.log(`an answer cannot be written: ${(error as Error).message}`);
    said = { era: outcome.era, error: errorObject(error, outcome.era) };
    parts = partsOf(context, id, said);
  }
  audited?.answered(said, parts);
  return parts;
}

function partsOf(context: Context, id: Id, outcome: Outcome): Part[] {
  if ('error' in outcome) return [JSON.stringify({ jsonrpc: '2.0', id, error: outcome.error })];
  const { answer, era, method } = outcome;
  const parts = 'parts' in answer ? answer.parts : [JSON.stringify(answer.value).slice(1, -1)];
  let head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{`;
  if (era === 'modern') {
    const caching = answer.isLive ? NOT_KEPT : method.caching;
    head += stamps(caching, cacheScope(context), answer) + (parts.length === 0 ? '' : ',');
  }
  return [head, ...parts, '}}'];
}

/** Where agents have names, what one of them gets is not for another; without a bundle nobody knows. */
function cacheScope({ access, bundle }: Context): 'public' | 'private' {
  try {
    const isAlone = access.agent === undefined && access.everything;
    return isAlone && readSettings(bundle.inService ?? bundle.find()).agents === undefined ? 'public' : 'private';
  } catch {
    return 'private';
  }
}
