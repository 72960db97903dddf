// How a request to a group fails: an outage in the words of ours, an error of the server in its own.

import { Failure } from '../failure.ts';
import { type ADVICE, advise } from '../later-advice.ts';
import { isOutage } from './outage.ts';
import type { RawAnswer } from './through.ts';

/** Goes on from "Failed to". */
export type Doing = 'list resources' | 'read resource' | 'get prompt' | 'call tool' | 'complete';

type About = { group: string; doing: Doing; uri?: string };

/** The result of an answer; throws Failure for the error that it is. */
export function resultOf(answer: RawAnswer, { group, uri }: About): Record<string, unknown> {
  if ('result' in answer) return answer.result;
  const { code, message, data } = answer.error;
  const reason = `The server of the group ${group} answered so.`;
  const detail = { ...(uri === undefined ? {} : { uri }), reason, group, ...advise('upstream') };
  throw new Failure('upstream_error', message, detail, { code, data });
}

/** What a client is told of an outage; any other error as it is. */
export function failureOf(error: unknown, { group, doing, uri }: About): unknown {
  if (!isOutage(error)) return error;
  const { brief, reason, word, advice } = error.detail;
  return new Failure('upstream', `Failed to ${doing}: Group ${group} ${brief}`, {
    ...(uri === undefined ? {} : { uri }),
    ...(word === undefined ? {} : { word }),
    reason,
    group,
    ...advise(advice ?? 'upstream'),
  });
}

export function unknownGroup(group: string, doing: Doing, uri?: string): Failure {
  return refused(`Failed to ${doing}: Group not found: ${group.slice(0, 80)}`, {
    word: 'unknown_group',
    reason: 'project.yaml has no upstream of this name, or it is not enabled.',
    advice: 'upstreamGroup',
    uri,
  });
}

export function notServed({ group, doing, uri }: About, reason: string): Failure {
  const message = `Failed to ${doing}: Group ${group} does not serve this here`;
  return refused(message, { word: 'not_served', reason, advice: 'upstreamFeature', uri });
}

type Refusal = { word: string; reason: string; advice: keyof typeof ADVICE; uri: string | undefined };

function refused(message: string, { word, reason, advice, uri }: Refusal): Failure {
  return new Failure('upstream', message, {
    ...(uri === undefined ? {} : { uri }),
    word,
    reason,
    ...advise(advice),
  });
}

export function unsupported(group: string, what: string): Failure {
  return new Failure('upstream_unsupported', `Upstream server does not support ${what}`, {
    reason: `The server of the group ${group} says that it has no ${what}.`,
    group,
    ...advise('upstream'),
  });
}
