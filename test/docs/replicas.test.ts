// The page on replicas: what it lets people deploy names the variables that its project.yaml does, runs a command
// that there is, and holds no secret.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { parseArgs } from '../../bin/args.ts';
import { SHARED } from '../../bin/command.ts';
import { SERVE } from '../../bin/table/serve.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../content/manual/replicas.md'), 'utf8');
const BLOCKS = [...PAGE.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);

test('what is deployed is what the project asks for', () => {
  assert.equal(BLOCKS.length, 3);
  const [project = '', compose = '', kubernetes = ''] = BLOCKS;
  const variables = [...project.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name as string);
  assert.deepEqual(variables.sort(), ['FIELDGUIDE_STORE', 'REVIEWER_TOKEN']);

  const { services, configs } = parse(compose);
  assert.deepEqual(Object.keys(services.guide.environment).sort(), variables);
  const [, command = '[]'] = /^CMD (.*)$/m.exec(services.guide.build.dockerfile_inline) ?? [];
  assertServes(JSON.parse(command));
  assert.match(configs.balancer.content, /server guide:8080;/);
  for (const value of Object.values(services.guide.environment)) assert.match(String(value), /\$\{\w+:\?\}/);

  const { items } = parse(kubernetes);
  assert.deepEqual(
    items.map(({ kind }: { kind: string }) => kind),
    ['Deployment', 'Service', 'PodDisruptionBudget'],
  );
  const [container] = items[0].spec.template.spec.containers;
  assertServes(container.args);
  assert.equal(container.ports[0].containerPort, 8080);
  assert.equal(container.readinessProbe.httpGet.path, '/healthz');
  for (const variable of variables)
    assert.ok(PAGE.includes(`\`${variable}\``), `the page names ${variable} for the Secret`);
});

function assertServes([program, name, ...args]: string[]): void {
  assert.deepEqual([program, name], ['fieldguide', 'serve']);
  assert.equal(parseArgs(args, [...SERVE.options, ...SHARED]).values.get('http'), '0.0.0.0:8080');
}
