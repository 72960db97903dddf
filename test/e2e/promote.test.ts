// `fieldguide session promote` as people type it: what is written where, what is left alone, and one discovery from
// the moment it is recorded to the build that holds it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { Journal } from '../../runtime/sessions/journal.ts';
import type { Discovery } from '../../runtime/sessions/store.ts';
import { until } from '../support/clock.ts';
import { type Ended, type Message, run, Served, START_FILE } from '../support/command.ts';
import { discovery, record } from '../support/discovered.ts';
import { temporaryFolder } from '../support/folder.ts';
import { SHOP, SHOP_FILES } from '../support/shop.ts';
import { typed } from '../support/typist.ts';

async function shop(t: TestContext, ...all: Discovery[]): Promise<string> {
  const root = temporaryFolder(t, SHOP_FILES);
  await record(root, ...all);
  return root;
}

function promote(root: string, ...args: string[]): Ended {
  return run(['session', 'promote', '--root', root, ...args]);
}

function source(root: string): string {
  return readFileSync(join(root, 'project.yaml'), 'utf8');
}

function marks(root: string): boolean[] {
  return new Journal({ root }).discoveries().map(({ promotedAt }) => promotedAt !== undefined);
}

const BREAKER = 'Wrap the client: in a breaker';

test('each type goes to its list, with everything else as it was, and a strict build takes it', async (t) => {
  const root = await shop(
    t,
    discovery('pattern', BREAKER, 'auth'),
    discovery('decision', 'Cookies, not headers', 'auth'),
    discovery('rule', 'Breakers open for a minute', 'users'),
    discovery('issue', 'The queue stalls', 'auth', { solution: 'Restart it' }),
    discovery('issue', 'Nobody knows why', 'new one'),
  );
  assert.equal(run(['build', '--strict', '--root', root]).code, 0);
  const { code, stdout, stderr } = promote(root, '--all', '--yes');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^d\d+ {2}modules\.auth\.patterns {2}Wrap the client: in a breaker\n/);
  assert.match(stderr, /^Added 5 discoveries to project\.yaml; the next `fieldguide build` takes them up\.\n$/);
  const { auth, users, 'new one': made } = parse(source(root)).modules;
  assert.deepEqual(auth.patterns.slice(2), [BREAKER, 'Cookies, not headers']);
  assert.deepEqual(users.businessRules, ['Breakers open for a minute']);
  assert.deepEqual(auth.commonIssues[1], {
    description: 'The queue stalls',
    solution: 'Restart it',
    discoveredAt: '2025-03-04T05:06:07Z',
    sessionId: 'f00dcafe-1234',
  });
  assert.deepEqual(Object.keys(made.commonIssues[0]), ['description', 'discoveredAt', 'sessionId']);
  const lines = source(root).split('\n');
  const kept = SHOP.split('\n').filter((line) => lines.includes(line));
  assert.deepEqual(kept, SHOP.split('\n'));
  assert.deepEqual(marks(root), Array(5).fill(true));
  assert.equal(run(['build', '--strict', '--root', root]).code, 0);
  const again = promote(root, '--all', '--yes');
  assert.deepEqual([again.code, again.stdout], [0, '']);
  assert.match(again.stderr, /^Every accepted discovery was promoted already\.\n$/);
  assert.deepEqual(
    readdirSync(join(root, '.fieldguide')).filter((name) => name.endsWith('.turn')),
    [],
  );
});

test('without a terminal it shows what there is, and needs a choice and a yes', async (t) => {
  const root = await shop(
    t,
    discovery('pattern', BREAKER, 'auth', { id: 'aaaa-1' }),
    discovery('rule', 'Another rule', 'users', { id: 'aaaa-2' }),
  );
  const none = promote(root);
  assert.equal(none.code, 1);
  assert.match(
    none.stdout,
    /^aaaa-1 {2}pattern {2}auth {2}2025-03-04T05:06:07Z {2}session f00dcafe\n {4}Wrap the client: in/,
  );
  assert.match(
    none.stderr,
    /^fieldguide session promote: name discoveries, or --all, and add --yes; .*Nothing was written\n$/,
  );
  assert.equal(JSON.parse(promote(root, '--json').stdout).waiting.length, 2);
  assert.equal(promote(root, '--yes').code, 1);
  assert.match(promote(root, '--all').stderr, /needs a yes: add --yes\. Nothing was written/);
  assert.match(promote(root, 'aaaa-1').stderr, /needs a yes/);
  assert.equal(promote(root, '--all', 'aaaa-1', '--yes').code, 2);
  assert.match(promote(root, 'aaaa', '--yes').stderr, /2 discoveries have an id that begins with "aaaa"; write more/);
  assert.match(
    promote(root, 'b\u001b[2J', '--yes').stderr,
    /no discovery has an id that begins with "b\ufffd\[2J"; `fieldguide session/,
  );
  assert.deepEqual([source(root), marks(root)], [SHOP, [false, false]]);
  assert.equal(promote(root, 'aaaa-2', '--yes').code, 0);
  assert.deepEqual(marks(root), [false, true]);
  const twice = promote(root, 'aaaa-2', '--yes');
  assert.deepEqual([twice.code, twice.stderr.split('\n')[0]], [0, 'aaaa-2 was promoted before.']);
});

test('a trial prints a difference that patch could apply, and writes nothing', async (t) => {
  const root = await shop(t, discovery('pattern', BREAKER, 'auth'), discovery('rule', 'About nothing here'));
  const before = readdirSync(root, { recursive: true }).sort();
  const { code, stdout, stderr } = promote(root, '--dry-run');
  assert.equal(code, 0);
  assert.match(stdout, /^--- project\.yaml\n\+\+\+ project\.yaml\n@@ -\d+,6 \+\d+,7 @@\n/);
  assert.deepEqual(stdout.match(/^[+-](?![+-]).*$/gm), ['+      - "Wrap the client: in a breaker"']);
  assert.match(stderr, /^d\d+ was left: it names no module: say which with --module <name>\n$/);
  const data = JSON.parse(promote(root, '--all', '--dry-run', '--json').stdout);
  assert.deepEqual([data.dryRun, data.promoted.length, data.left.length, data.diff], [true, 1, 1, stdout]);
  assert.deepEqual(
    [source(root), marks(root), readdirSync(root, { recursive: true }).sort()],
    [SHOP, [false, false], before],
  );
});

test('what names no module, or cannot be kept, is left and said; --module helps the first', async (t) => {
  const root = await shop(
    t,
    discovery('rule', 'About nothing here', undefined, { id: 'nowhere' }),
    discovery('rule', 'Hidden \u202e direction', 'auth', { id: 'hidden' }),
    discovery('rule', `The key AKIA${'QWERTYUI12345678'}`, 'auth', { id: 'secret' }),
    discovery('rule', 'Up and away it goes', '..', { id: 'updots' }),
    discovery('rule', 'Steers\u001b[2J a terminal', 'auth', { id: 'steers' }),
    discovery('rule', 'A fine rule it is', 'auth', { id: 'finerule' }),
  );
  const all = promote(root, '--all', '--yes');
  assert.equal(all.code, 0);
  assert.deepEqual(all.stdout, 'finerule  modules.auth.businessRules  A fine rule it is\n');
  assert.match(all.stderr, /^nowhere was left: it names no module/);
  assert.match(all.stderr, /\nhidden was left: The discovery has a control or an invisible character\.\n/);
  assert.match(all.stderr, /\nsecret was left: The discovery has what looks like an access key of AWS\.\n/);
  assert.match(all.stderr, /\nupdots was left: The module name "\.\." is a dot segment\.\n/);
  assert.deepEqual(marks(root), [false, false, false, false, false, true]);
  assert.equal(promote(root, 'hidden', '--yes').code, 1);
  assert.equal(promote(root, 'nowhere', '--yes', '--module', 'users').code, 0);
  assert.deepEqual(parse(source(root)).modules.users.businessRules, ['About nothing here']);
});

test('a text that stands in the module already is not written again, and is marked', async (t) => {
  const root = await shop(
    t,
    discovery('pattern', 'use JWT  tokens in httpOnly cookies.', 'auth'),
    discovery('pattern', BREAKER, 'auth'),
    discovery('rule', `${BREAKER}!`, 'auth'),
  );
  const { promoted, held } = JSON.parse(promote(root, '--all', '--yes', '--json').stdout);
  assert.deepEqual([promoted.length, held.length, marks(root)], [1, 2, [true, true, true]]);
  assert.equal(source(root).split(BREAKER).length, 2);
  const other = await shop(t, discovery('pattern', 'Use JWT tokens in httpOnly cookies', 'auth'));
  assert.match(promote(other, '--all', '--yes').stderr, /^d\d+ stands in modules\.auth already\.\n$/);
  assert.equal(source(other), SHOP);
});

test('a file with errors is left alone, and told as a build tells it', async (t) => {
  const root = await shop(t, discovery('pattern', BREAKER, 'auth'));
  const broken: [string, RegExp][] = [
    ['version: "1.0"\nproject: {\n', /^project\.yaml:3:1 error yaml-syntax: /],
    [`${SHOP}modles: {}\n`, /error key-unknown: The key "modles" is unknown\.\n {4}modles: \{\}\n {4}\^/],
    [SHOP.replace('[users, ', '[usres, '), /error module-unknown: /],
    ['', /error key-missing: project\.yaml is empty/],
  ];
  for (const [text, message] of broken) {
    writeFileSync(join(root, 'project.yaml'), text);
    for (const args of [['--all', '--yes'], ['--dry-run']]) {
      const { code, stdout, stderr } = promote(root, ...args);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, message);
      assert.match(stderr, /\nfieldguide session promote: \d errors? in project\.yaml; nothing was written\.\n$/);
    }
    assert.equal(source(root), text);
  }
  const aliased =
    'version: "1.0"\nproject: { name: a }\nmodules:\n  b: { patterns: &p [x] }\n  auth: { patterns: *p }\n';
  writeFileSync(join(root, 'project.yaml'), aliased);
  const { code, stderr } = promote(root, '--all', '--yes');
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^fieldguide session promote: project\.yaml:5:21 has the alias \*p for modules\.auth\.patterns; write its value out\. Nothing was written; add the texts by hand\n$/,
  );
  assert.deepEqual([source(root), marks(root)], [aliased, [false]]);
});

test('mode, byte order mark and line ends stay; a link is written through inside the repository only', async (t) => {
  const root = await shop(t, discovery('pattern', BREAKER, 'auth'));
  const file = join(root, 'project.yaml');
  writeFileSync(file, `\ufeff${SHOP.replaceAll('\n', '\r\n')}`);
  chmodSync(file, 0o640);
  assert.equal(promote(root, '--all', '--yes').code, 0);
  const after = source(root);
  assert.ok(after.startsWith('\ufeffversion') && after.includes(`- "${BREAKER}"\r\n`) && !/(?<!\r)\n/.test(after));
  assert.equal(statSync(file).mode & 0o777, 0o640);

  const inside = temporaryFolder(t, { '.git/HEAD': '', 'shared/project.yaml': SHOP, 'apps/shop/x': '' });
  const app = join(inside, 'apps/shop');
  symlinkSync('../../shared/project.yaml', join(app, 'project.yaml'));
  await record(app, discovery('pattern', BREAKER, 'auth'));
  const through = promote(app, '--all', '--yes');
  assert.equal(through.code, 0, through.stderr);
  assert.ok(lstatSync(join(app, 'project.yaml')).isSymbolicLink());
  assert.ok(readFileSync(join(inside, 'shared/project.yaml'), 'utf8').includes(BREAKER));

  const outside = temporaryFolder(t, { 'project.yaml': SHOP });
  for (const make of [() => symlinkSync(join(outside, 'project.yaml'), file), () => mkdirSync(file), () => {}]) {
    rmSync(file, { recursive: true, force: true });
    make();
    await record(root, discovery('pattern', 'Another pattern', 'auth'));
    const { code, stderr } = promote(root, '--all', '--yes');
    assert.equal(code, 1);
    assert.match(stderr, /is a link out of the project|is not a file|there is no project\.yaml here/);
  }
  assert.equal(readFileSync(join(outside, 'project.yaml'), 'utf8'), SHOP);
});

test('several at once lose nothing, and a turn that a dead process left stops nobody', async (t) => {
  const all = Array.from({ length: 6 }, (_, n) => discovery('rule', `Rule number ${n}`, 'auth', { id: `id-${n}` }));
  const root = await shop(t, ...all);
  const folder = join(root, '.fieldguide');
  const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
  const old = join(folder, 'promote-00000000-1-00000000.turn');
  writeFileSync(join(folder, `promote-${host}-4194304000-00000000.turn`), '');
  writeFileSync(old, '');
  utimesSync(old, 1, 1);
  const codes = await Promise.all(
    all.map(
      ({ id }) =>
        new Promise((resolve) => {
          const args = [START_FILE, 'session', 'promote', id, '--yes', '--root', root];
          spawn(process.execPath, args, { stdio: 'ignore' }).on('close', resolve);
        }),
    ),
  );
  assert.deepEqual(codes, Array(6).fill(0));
  assert.deepEqual(
    parse(source(root)).modules.auth.businessRules.slice(1).sort(),
    all.map(({ content }) => content),
  );
  assert.deepEqual(marks(root), Array(6).fill(true));
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.turn')),
    [],
  );
  assert.deepEqual(
    readdirSync(root).filter((name) => name.endsWith('.tmp')),
    [],
  );
});

test('on a terminal it asks one by one; to stop is to write nothing', async (t) => {
  const root = await shop(
    t,
    discovery('pattern', BREAKER, 'auth'),
    discovery('rule', 'About nothing here'),
    discovery('rule', 'Not wanted at all', 'auth'),
    discovery('rule', 'A rule that is wanted', 'users'),
  );
  const args = ['session', 'promote', '--root', root];
  const stopped = typed(t, args, ['y\r', '\u0003']);
  if (stopped === undefined) return;
  assert.equal(stopped.code, 1);
  assert.match(stopped.shown, /stopped; nothing was written/);
  assert.equal(source(root), SHOP);
  const ended = typed(t, args, ['y\r', 'n\r', 'yes\r']);
  assert.equal(ended?.code, 0, ended?.shown);
  assert.match(ended?.shown ?? '', /Promote it to modules\.auth\.patterns\? \[y\/N\]/);
  assert.match(ended?.shown ?? '', /It names no module, so it is left/);
  assert.deepEqual(marks(root), [true, false, false, true]);
  const whole = typed(t, [...args, '--all', '--module', 'users'], ['n\r']);
  assert.equal(whole?.code, 1);
  assert.match(whole?.shown ?? '', /\[32m\+ +- About nothing here[\s\S]*Write this into project\.yaml\? \[y\/N\]/);
  assert.deepEqual(marks(root), [true, false, false, true]);
  assert.equal(typed(t, [...args, '--all', '--module', 'users'], ['y\r'])?.code, 0);
  assert.deepEqual(marks(root), [true, true, true, true]);
});

test('from the discovery to the bundle: shown live, promoted, built, and then shown once', async (t) => {
  const root = temporaryFolder(t, SHOP_FILES);
  assert.equal(run(['build', '--root', root]).code, 0);
  const server = new Served(t, ['--root', root]);
  const read = async (): Promise<string> => {
    const { result }: Message = await server.request('resources/read', { uri: 'context://module/auth' });
    return result.contents[0].text;
  };
  const session = (...args: string[]): Ended => run(['session', ...args, '--root', root]);
  session('start', '--id', 'f00dcafe-1');
  assert.equal(session('discover', '--type', 'pattern', '--module', 'auth', '--yes', BREAKER).code, 0);
  assert.ok((await read()).includes(`\n- ${BREAKER} (Session: f00dcafe)\n`));
  assert.equal(promote(root, '--all', '--yes').code, 0);
  assert.ok((await read()).includes(`\n- ${BREAKER} (Session: f00dcafe)\n`), 'until a bundle has it');
  assert.equal(run(['build', '--strict', '--root', root]).code, 0);
  await until(async () => (await read()).includes(`\n- ${BREAKER}\n`));
  const page = await read();
  assert.equal(page.split(BREAKER).length, 2);
  assert.match(page, /## Patterns \(3\)\n/);
  assert.equal(server.stderr.replace(/.*went over to bundle.*\n/g, ''), '');
  assert.ok(existsSync(join(root, '.fieldguide')));
});
