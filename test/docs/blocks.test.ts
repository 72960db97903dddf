// Every block of code in the manual and the README is run, built or parsed, whatever its language, and every
// command that a sentence names is one that there is.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Code, InlineCode, Nodes, Root } from 'mdast';
import remarkParse from 'remark-parse';
import { parse as parseToml } from 'smol-toml';
import { unified } from 'unified';
import { parse as parseYaml } from 'yaml';
import { parseArgs } from '../../bin/args.ts';
import { allCommands } from '../../bin/cli.ts';
import { SHARED } from '../../bin/command.ts';
import { SERVE } from '../../bin/table/serve.ts';
import { PROJECT } from '../../build/project-shape.ts';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { readAction } from '../support/runner.ts';
import { diagnose } from '../support/shop.ts';
import { Scratch } from './scratch.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'content'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `content/${path}`)
    .sort(),
];
const COMMANDS = allCommands(SERVE).flatMap((one) => ('commands' in one ? one.commands : one));
const GROUPS = allCommands(SERVE).flatMap((one) => ('commands' in one ? one.name : []));
const ACTION = readAction(join(ROOT, 'action.yml'));
/** The README's two commands: one runs this very test, and `npm ci` would take its packages away. */
const TWO_COMMANDS = /^npm ci && npm (start|test)\b.*$/gm;

function tree(page: string): Root {
  return unified()
    .use(remarkParse)
    .parse(readFileSync(join(ROOT, page), 'utf8').replace(/^---\n.*?\n---\n/s, (front) => front.replace(/[^\n]/g, '')));
}

for (const page of PAGES) {
  test(`${page}: its blocks do what they say`, (t) => {
    const scratch = new Scratch(t, page);
    let printed = '';
    for (const { lang, value, position } of nodesOf<Code>(tree(page), 'code')) {
      const where = `${page}:${position?.start.line}`;
      if (lang === 'sh') {
        const { status, output } = scratch.shell(value.replace(TWO_COMMANDS, ''));
        printed = output;
        if (!isShownFailing(value)) assert.equal(status, 0, `${where}: ${output}`);
      } else if (lang === 'text') assertPrinted(value, printed, where);
      else if (lang === 'yaml') checkYaml(value, where);
      else if (lang === 'json') assert.doesNotThrow(() => JSON.parse(value), where);
      else if (lang === 'toml') assert.doesNotThrow(() => parseToml(value), where);
      else if (lang === 'markdown') checkPrompt(value, temporaryFolder(t), where);
      else assert.fail(`${where}: nobody knows how to check a block of ${lang ?? 'no language'}`);
    }
  });

  test(`${page}: the commands it names are there, with those options`, () => {
    for (const { value, position } of nodesOf<InlineCode>(tree(page), 'inlineCode')) {
      const [program, first, ...words] = value.split(/\s+/);
      if (program !== 'fieldguide' || first === undefined || !/^[a-z]/.test(first)) continue;
      const isGroup = GROUPS.includes(first);
      if (isGroup && words.length === 0) continue;
      const name = isGroup ? `${first} ${words[0]}` : first;
      const rest = isGroup ? words.slice(1) : words;
      const command = COMMANDS.find((one) => one.name === name);
      const where = `${page}:${position?.start.line}: ${value}`;
      assert.ok(command !== undefined, where);
      const takes = { written: '', least: 0, most: Number.POSITIVE_INFINITY };
      assert.doesNotThrow(() => parseArgs(rest, [...command.options, ...SHARED], takes), where);
    }
  });
}

function nodesOf<T extends Nodes>(node: Nodes, type: T['type']): T[] {
  if (node.type === type) return [node as T];
  return ('children' in node ? node.children : []).flatMap((child) => nodesOf<T>(child, type));
}

/** A block may show a command that finds something: it says so. */
function isShownFailing(block: string): boolean {
  return / # exits with 1$/m.test(block);
}

/** Line by line, in order; `…` stands for anything. */
function assertPrinted(shown: string, printed: string, where: string): void {
  const lines = printed.split('\n').map((line) => line.trim());
  for (const line of shown
    .split('\n')
    .map((one) => one.trim())
    .filter(Boolean)) {
    const pattern = new RegExp(
      `^${line
        .split('…')
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('.*')}$`,
    );
    const at = lines.findIndex((one) => pattern.test(one));
    assert.ok(at >= 0, `${where}: ${JSON.stringify(line)} is not in\n${printed}`);
    lines.splice(0, at + 1);
  }
}

/** A piece of project.yaml builds; what belongs to a CI system gives our action only what it takes. */
function checkYaml(block: string, where: string): void {
  const value = parseYaml(block);
  const keys = PROJECT.type === 'map' ? Object.keys(PROJECT.keys) : [];
  if (!Array.isArray(value) && Object.keys(value).every((key) => keys.includes(key))) {
    const head = [value.version ? '' : 'version: "1.0"\n', value.project ? '' : 'project: { name: a }\n'].join('');
    const { diagnostics } = diagnose(`${head}${block}`);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    assert.deepEqual(errors, [], where);
    return;
  }
  for (const [step] of JSON.stringify(value).matchAll(/\{[^{}]*"uses":"fieldguide\/[^{}]*(?:\{[^{}]*\})?[^{}]*\}/g)) {
    const given = Object.keys(JSON.parse(step).with ?? {});
    assert.deepEqual(
      given.filter((input) => !(input in ACTION.inputs)),
      [],
      where,
    );
  }
}

function checkPrompt(block: string, root: string, where: string): void {
  writeFileSync(join(root, 'project.yaml'), 'version: "1.0"\nproject: { name: a }\n');
  mkdirSync(join(root, 'prompts'));
  writeFileSync(join(root, 'prompts/sample.md'), block);
  const { code, stderr } = run(['build', '--strict', '--root', root]);
  assert.equal(code, 0, `${where}: ${stderr}`);
}

test('npm start builds this repository’s own guide and serves it, saying what and how to connect', () => {
  const { status, stderr } = spawnSync('npm', ['start'], { cwd: ROOT, encoding: 'utf8', input: '' });
  assert.equal(status, 0, stderr);
  assert.match(stderr, /serving Fieldguide on stdio: \d+ resources/);
  assert.match(stderr, /mcpServers/);
});
