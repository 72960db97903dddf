// Which commands of a guide are held against the repository, and what is said of them. Most of it is about silence:
// guides speak of other projects, too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Diagnostic } from '../../build/diagnostics.ts';
import { examine } from '../../build/examine.ts';
import { nearMisses } from '../../build/near-misses.ts';
import { checkCommands } from '../../build/truth/check-commands.ts';
import { diskOf } from '../support/disk.ts';

const FILES = {
  'package.json': JSON.stringify({
    name: '@acme/shop',
    repository: { url: 'git+https://github.com/acme/the-shop.git' },
    scripts: { build: 'x', 'build:docs': 'x', test: 'x' },
    devDependencies: { '@acme/deploy': '1' },
  }),
  Makefile:
    'CC := gcc\n.PHONY: check fmt \\\n  lint\nall: main.o\n\tgcc: not a target\n%.pdf: %.tex\n\tx\n-include .env\nempty ::\n',
  justfile:
    "set shell := ['sh']\nalias b := build\nbuild target='a:b': dep\n  echo not: this\n@dep:\n  x\nversion := '1'\n",
  'scripts/deploy.sh': '',
  'scripts/seed.js': '',
  'tools/migrate.py': '',
  'install.sh': '',
  'content/docs/demo/run.sh': '',
  'packages/web/scripts/start.sh': '',
  'packages/web/package.json': '{"scripts":{"storybook":"x"}}',
};

function said(text: string, files: Record<string, string> = FILES, path = 'content/docs/a.md'): string[] {
  const disk = diskOf(files);
  const found: Diagnostic[] = [];
  const { commands } = examine(text, true);
  checkCommands([{ path, text, commands }], 'The Shop', disk, nearMisses(disk), (one) => found.push(one));
  assert.ok(
    found.every(({ code, severity, file }) => code === 'command-broken' && severity === 'warning' && file === path),
  );
  return found.map(({ line, column, what, fix }) => `${line}:${column} ${what} ${fix}`);
}

function sh(...lines: string[]): string {
  return `# A\n\n\`\`\`sh\n${lines.join('\n')}\n\`\`\`\n`;
}

test('a script that package.json does not have is reported at its own place, with the one that was meant', () => {
  assert.deepEqual(said(sh('npm ci && npm run biuld -- --fast', 'npm start')), [
    '4:19 package.json has no script "biuld". Did you mean "build"?',
    '5:5 package.json has no script "start". Mend the command, or add the script.',
  ]);
  for (const command of ['npm run-script', 'pnpm run', 'npm -s run', 'NODE_ENV=x sudo npm run'])
    assert.equal(said(sh(`${command} deploy`)).length, 1, command);
  for (const command of ['yarn dev', 'yarn run dev', 'pnpm dev', 'bun run dev', 'yarn build:all', 'pnpm build:all'])
    assert.equal(said(sh(command)).length, 1, command);
});

test('blocks in lists and quotes, with prompts, and in every language of shells are read', () => {
  assert.deepEqual(said('> 1. Do\n>\n>    ```console\n>    $ npm run nope\n>    npm run printed\n>    ```\n'), [
    '4:16 package.json has no script "nope". Mend the command, or add the script.',
  ]);
  for (const language of ['sh', 'bash', 'zsh', 'shell', 'Bash', 'sh {1,2}', 'bash copy'])
    assert.equal(said(`~~~${language}\nnpm run nope\n~~~\n`).length, 1, language);
  for (const language of ['shell-session', 'console', 'shellsession'])
    assert.equal(said(`\`\`\`${language}\n$ npm run \\\n  nope\n\`\`\`\n`).length, 1, language);
});

test('what is not a command of a shell block is passed over', () => {
  for (const text of [
    'npm run nope\n',
    '`npm run nope`\n',
    '    npm run nope\n',
    '```\nnpm run nope\n```\n',
    '```js\nnpm run nope\n```\n',
    '```shader\nnpm run nope\n```\n',
    '```console\nnpm run nope\n```\n',
    '<!--\n```sh\nnpm run nope\n```\n-->\n',
    '````md\n```sh\nnpm run nope\n```\n````\n',
    sh('# npm run nope', 'echo npm run nope', "echo 'npm run nope'", 'cat <<EOF', 'npm run nope', 'EOF'),
    sh('git commit -m "one', 'npm run nope', '"'),
    sh('$ ls', 'npm run nope'),
  ])
    assert.deepEqual(said(text), [], text);
});

test('scripts that may exist elsewhere, or under another name, are passed over', () => {
  for (const command of [
    'npm run build',
    'npm run',
    'npm test',
    'npm run env',
    'npm run <script>',
    'npm run $NAME',
    'npm run your-script',
    'npm run nope --if-present',
    'npm run nope --workspace web',
    'npm run nope -w web',
    'npm --prefix web run nope',
    'npm install nope',
    'pnpm --filter web run nope',
    'pnpm -r run nope',
    'pnpm install',
    'pnpm vite',
    'pnpm deploy web',
    'pnpm run env',
    'yarn',
    'yarn add nope',
    'yarn jest',
    'yarn workspace web nope',
    'yarn serve',
    'yarn deploy',
    'bun run index.ts',
    'bun test',
    'npm run storybook',
    'docker run node npm run nope',
  ])
    assert.deepEqual(said(sh(command)), [], command);
});

test('after a command that leads elsewhere nothing is said, unless it leads to this repository', () => {
  for (const move of [
    'cd web',
    'cd ..',
    'cd',
    '(cd web)',
    'pushd web',
    'ssh host',
    'git clone https://github.com/acme/other.git',
    'git clone https://github.com/acme/shop.git somewhere',
    'docker exec -it web bash',
    'cd "$(mktemp -d)"',
    `${'cd shop;'.repeat(20)} cd web`,
  ]) {
    assert.deepEqual(said(sh(move, 'npm run nope')), [], move);
    assert.deepEqual(said(`${sh(move)}\ntext\n\n${sh('npm run nope')}`), [], move);
  }
  for (const stay of [
    'git clone https://github.com/acme/shop.git && cd shop',
    'git clone git@github.com:acme/the-shop && cd the-shop/',
    'cd the-shop',
    'cd .',
    'docker run -d postgres',
    'cd shop;'.repeat(5),
  ])
    assert.equal(said(sh(stay, 'npm run nope')).length, 1, stay);
  const prose = 'Clone [other](https://github.com/acme/other) first.\n\n';
  assert.deepEqual(said(prose + sh('npm run nope')), []);
  assert.equal(said(prose.replaceAll('other', 'shop') + sh('npm run nope')).length, 1);
});

test('without a manifest at the root, or with one that cannot be read, nothing is said', () => {
  for (const manifest of [undefined, '', '[]', '{ "scripts": ', 'null']) {
    const files: Record<string, string> = { 'web/package.json': '{}' };
    if (manifest !== undefined) files['package.json'] = manifest;
    assert.deepEqual(said(sh('npm run nope', 'npm test', 'make nope', 'just nope'), files), [], manifest);
  }
  assert.equal(said(sh('npm run nope'), { 'package.json': '{}' }).length, 1);
  assert.deepEqual(said(sh('npm start'), { 'package.json': '{}', 'server.js': '' }), []);
  assert.deepEqual(said(sh('npm run toString'), { 'package.json': '{"scripts":{}}' }).length, 1);
});

test('a script that the document itself adds is not missing', () => {
  const added = '```json\n{ "scripts": { "nope": "x" } }\n```\n\n';
  assert.deepEqual(said(added + sh('npm run nope')), []);
  assert.deepEqual(said(sh('npm pkg set scripts.nope="x"', 'npm run nope')), []);
});

test('targets of make and recipes of just are known as their programs know them', () => {
  assert.deepEqual(said(sh('make -j4 chek', 'just biuld x', 'make all nope A=1')), [
    '4:10 Makefile has no target "chek". Did you mean "check"?',
    '5:6 justfile has no recipe "biuld". Did you mean "build"?',
    '6:10 Makefile has no target "nope". Mend the command, or add the target.',
  ]);
  for (const command of [
    'make',
    'make all check fmt lint empty',
    'make -j 4 book.pdf',
    'make install',
    'make -C web nope',
    'make -f other.mk nope',
    'make CC=gcc',
    'make dist/nope',
    'make <target>',
    'just',
    'just --list nope',
    'just b',
    'just build nope',
    'just dep',
    'just web::nope',
  ])
    assert.deepEqual(said(sh(command)), [], command);
  for (const open of [
    'include rules.mk\n',
    'ifdef CI\n  -include ci.mk\nendif\n',
    '$(NAMES): x\n',
    '%: x\n',
    '.PHONY: $(ALL)\n',
    '$(eval x)\n',
  ])
    assert.deepEqual(said(sh('make nope'), { Makefile: `all:\n${open}` }), [], open);
  assert.equal(said(sh('make nope'), { Makefile: 'all:\n$(OUT)/x: y\n' }).length, 1);
  assert.deepEqual(said(sh('make nope'), { Makefile: 'all:\n', 'web/Makefile': 'nope:\n' }), []);
  assert.deepEqual(said(sh('just nope'), { justfile: "import 'x.just'\n" }), []);
  assert.deepEqual(said(`${sh('make nope')}\n\`\`\`makefile\nnope: x\n\`\`\`\n`), []);
});

test('a file that is run and is not there is reported where the repository keeps such files', () => {
  assert.deepEqual(
    said(sh('./scripts/deplyo.sh', 'node scripts/sed.js', 'python3 tools/gone.py', 'bash ./instal.sh')),
    [
      '4:1 There is no file "scripts/deplyo.sh". Did you mean "scripts/deploy.sh"?',
      '5:6 There is no file "scripts/sed.js". Did you mean "scripts/seed.js"?',
      '6:9 There is no file "tools/gone.py". Mend the path, or remove the command.',
      '7:6 There is no file "instal.sh". Did you mean "install.sh"?',
    ],
  );
  assert.deepEqual(said(sh('Scripts/deploy.sh')), [], 'another folder');
  assert.deepEqual(said(sh('./scripts/Deploy.sh')), [
    '4:1 There is no file "scripts/Deploy.sh". Did you mean "scripts/deploy.sh"?',
  ]);
});

test('a document at the root speaks of the repository, so a missing file is missing', () => {
  assert.equal(said(sh('./setup.sh', './hack/up.sh'), FILES, 'README.md').length, 2);
  assert.deepEqual(said(sh('node dist/cli.js', 'python main.py'), FILES, 'README.md'), []);
});

test('files that may be somewhere else, be built, or be written by the document are passed over', () => {
  for (const command of [
    './scripts/deploy.sh',
    './demo/run.sh',
    './config.sh',
    'python main.py',
    'hack/update.sh',
    'node dist/main.js',
    './scripts/start.sh',
    'node scripts/out/main.js',
    'node -e scripts/nope.js',
    'python -m scripts/nope.py',
    'node scripts/<name>.js',
    'node ../scripts/nope.js',
    '/scripts/nope.sh',
    'bash -c scripts/nope.sh',
    'cat scripts/nope.sh',
  ])
    assert.deepEqual(said(sh(command)), [], command);
  for (const made of [
    'Create `scripts/nope.sh` with this text.\n\n',
    'Write a new\nfile, `scripts/nope.sh`.\n\n',
    '```sh title="scripts/nope.sh"\nx\n```\n\n',
    '`scripts/nope.sh`\n\n```js\nx\n```\n\n',
    sh('cat > scripts/nope.sh <<EOF', 'x', 'EOF'),
    sh('curl -O https://example.org/nope.sh'),
  ])
    assert.deepEqual(said(made + sh('./scripts/nope.sh')), [], made);
  const told = 'Run `scripts/nope.sh`:\n\n';
  assert.equal(said(told + sh('./scripts/nope.sh')).length, 1);
});

test('markup that is made to cost time costs little', () => {
  for (const line of [
    '$('.repeat(50_000),
    "'".repeat(99_999),
    'a='.repeat(50_000),
    '<<'.repeat(50_000),
    '\\'.repeat(99_999),
  ])
    assert.deepEqual(said(sh(line, 'npm run nope')).length <= 1, true);
  const many = Array.from({ length: 5000 }, (_, n) => `npm run nope${n}`);
  assert.equal(said(sh(...many)).length, 200);
  assert.equal(
    said(sh('make nope'), { Makefile: `${'a '.repeat(200_000)}\n${'\\\n'.repeat(100_000)}all: x\n` }).length,
    1,
  );
  assert.equal(said(sh('just nope'), { justfile: `a${' a'.repeat(200_000)}\n` }).length, 1);
});
