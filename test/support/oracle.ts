// What a whole bundle answers, so that a damaged one can be held against it: every answer must be
// exactly the same, or an error that says the bundle is damaged.

import assert from 'node:assert/strict';
import { answerValue } from '../../runtime/answer.ts';
import type { Bundle } from '../../runtime/bundle.ts';
import { Failure } from '../../runtime/failure.ts';
import { BundleError } from '../../runtime/format.ts';
import { readGuide } from '../../runtime/spaces/guide.ts';
import { type GuideAddress, parseUri } from '../../runtime/uri.ts';
import { openBytes } from './bytes.ts';

/** Every text and page there is, every list entry, the whole list, and keys that are not there. */
export function oracleOf(bytes: Buffer): [string, (bundle: Bundle) => string, string][] {
  const whole = openBytes(bytes);
  const probes: [string, (bundle: Bundle) => string][] = [];
  const keys = [
    'instructions',
    'prompts',
    'prompt/discover-mcp',
    'context://module/nowhere',
    'nothing',
    'context://module/users2',
  ];
  for (let n = 0; n < whole.listLength; n++) keys.push(whole.entry(n).uri);
  for (const key of keys) {
    for (let page = 1; page <= Math.max(1, whole.pages(key)) + 1; page++) {
      probes.push([`${key} page ${page}`, (bundle) => answer(bundle, key, page)]);
    }
  }
  probes.push(['about', (bundle) => String(bundle.findValueRecord('about')?.toString('hex'))]);
  for (const uri of GUIDE_READS) probes.push([uri, (bundle) => guideAnswer(bundle, uri)]);
  probes.push(['the list', (bundle) => bundle.entries(0, bundle.listLength).toString('utf8')]);
  return probes.map(([name, ask]) => [name, ask, ask(whole)]);
}

function answer(bundle: Bundle, key: string, page: number): string {
  const text = bundle.findText(key, page);
  if (text === undefined) return 'not there';
  return `${text.stored.toString('utf8')} ${text.rawLength} ${text.mediaType} ${text.page} of ${text.pages}`;
}

const GUIDE_READS = [
  'guide://category/docs',
  'guide://category/docs/**',
  'guide://category/docs/a*',
  'guide://category/docs/nothing*',
  'guide://collection/all',
  'guide://document/docs/a',
  'guide://document/all/deep/b.md',
  'guide://document/docs/absent.md',
];

/** The whole answer of the guide space; a failure that is not damage is an answer too. */
function guideAnswer(bundle: Bundle, uri: string): string {
  try {
    return JSON.stringify(answerValue(readGuide(parseUri(uri) as GuideAddress, uri, bundle, () => true)));
  } catch (error) {
    if (error instanceof Failure) return `${error.kind} ${error.message}`;
    throw error;
  }
}

/** Asks everything of a damaged bundle; gives how many answers were refused as damaged. */
export function assertRightOrDamaged(bytes: Buffer, oracle: ReturnType<typeof oracleOf>, what: string): number {
  let bundle: Bundle;
  try {
    bundle = openBytes(bytes);
  } catch (error) {
    assert.ok(error instanceof BundleError, `${what}: ${(error as Error).stack}`);
    return oracle.length;
  }
  let refused = 0;
  for (const [name, ask, expected] of oracle) {
    try {
      const got = ask(bundle);
      if (got !== expected) assert.fail(`${what}: ${name} was answered with ${got.slice(0, 100)}`);
    } catch (error) {
      if (!(error instanceof BundleError)) throw new Error(`${what}: ${name}: ${(error as Error).stack}`);
      refused++;
    }
  }
  return refused;
}
