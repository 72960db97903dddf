// The official conformance suite, run against an address on the newer Node that it needs, and what it says of each
// scenario.

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Check = { id: string; status: string; errorMessage?: string };

/** Checks by scenario, in the order in which they ran. */
export type Judgement = { code: number; said: string; scenarios: ReadonlyMap<string, readonly Check[]> };

const ROOT = join(import.meta.dirname, '../..');
const NODE = join(ROOT, 'node_modules/node/bin/node');
const SUITE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const TIMEOUT_MS = 300_000;
type Asked = { url: string; requirements: string; expectedFailures: string; folder: string };

export async function runSuite({ url, requirements, expectedFailures, folder }: Asked): Promise<Judgement> {
  if (!existsSync(NODE)) {
    throw new Error('The conformance suite needs Node 22 or newer, which the package "node" brings: run npm ci.');
  }
  const out = join(folder, requirements);
  const words = [SUITE, 'server', '--url', url, '--requirements', requirements, '-o', out];
  const { code, said } = await new Promise<{ code: number; said: string }>((resolve) => {
    execFile(
      NODE,
      [...words, '--expected-failures', expectedFailures],
      { cwd: folder, timeout: TIMEOUT_MS, maxBuffer: 1 << 26, env: { ...process.env, NODE_OPTIONS: '' } },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), said: stdout + stderr }),
    );
  });
  const scenarios = new Map<string, readonly Check[]>();
  for (const [, name = ''] of said.matchAll(/^=== Running scenario: (\S+) ===$/gm)) {
    scenarios.set(name, checksOf(out, name));
  }
  return { code, said, scenarios };
}

function checksOf(out: string, scenario: string): Check[] {
  const found = readdirSync(out).find((name) => /^server-(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1] === scenario);
  return found === undefined ? [] : JSON.parse(readFileSync(join(out, found, 'checks.json'), 'utf8'));
}

export function failuresOf(checks: readonly Check[]): Check[] {
  return checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
}

/** Those that say something of this scenario. */
export function passedOf(checks: readonly Check[]): Check[] {
  return checks.filter((check) => check.status === 'SUCCESS' && !isAboutForm(check));
}

/** Of every answer, whatever the scenario is about. */
export function isAboutForm({ id }: Check): boolean {
  return id === 'wire-schema-valid';
}
