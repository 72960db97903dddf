// Whitelisted files as agents read them: every spelling of a listed file, and of nothing else.

import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Message, run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { onEveryMount } from '../support/mounts.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

function project(t: TestContext): string {
  const outside = temporaryFolder(t, { 'secret.md': 'not yours' });
  const root = temporaryFolder(t, {
    'project.yaml': `version: "1.0"
project: { name: a }
files: [README.md, AGENTS.md, Docs/**, ".env*", gone.md, leads-out.md, CLAUDE.md, large.bin]
limits: { response: 2KB }
`,
    'README.md': '# Read me\n',
    'AGENTS.md': '# Agents\n\n"Quoted" — über\n',
    'Docs/b.json': '{"a":1}\n',
    'Docs/a b.ts': 'export {};\n',
    'Docs/long.md': `# Long\n\n${'A line of words.\n'.repeat(300)}`,
    'Docs/.hidden.md': 'hidden',
    'Docs/secrets/token.txt': 'hush',
    'Docs/server.pem': 'key',
    '.env': 'TOKEN=1',
    '.env.local': 'TOKEN=2',
    'content/docs/x.md': '# X\n\n[agents](../../AGENTS.md#agents), [code](../../Docs/a%20b.ts)\n',
  });
  writeFileSync(join(root, 'Docs/picture.png'), PNG);
  writeFileSync(join(root, 'large.bin'), Buffer.alloc(4000, 1).fill(0, 0, 10));
  symlinkSync(join(outside, 'secret.md'), join(root, 'leads-out.md'));
  symlinkSync('AGENTS.md', join(root, 'CLAUDE.md'));
  return root;
}

onEveryMount(
  'the whitelist is packed in its order; secrets and what leads out are left out aloud',
  async (t, Serve) => {
    const root = project(t);
    const { ok, diagnostics } = JSON.parse(run(['build', '--root', root, '--json']).stdout);
    assert.equal(ok, true);
    assert.deepEqual(
      diagnostics.map(({ file, line, code }: Message) => `${file}:${line} ${code}`),
      [
        '.env:1 file-secret',
        '.env.local:1 file-secret',
        'Docs/secrets/token.txt:1 file-secret',
        'Docs/server.pem:1 file-secret',
        'leads-out.md:1 file-outside',
        'project.yaml:3 pattern-unmatched',
      ],
    );
    const { result } = await new Serve(t, ['--root', root]).request('resources/list');
    const files = result.resources.filter(({ uri }: Message) => uri.startsWith('file:'));
    assert.deepEqual(
      files.map(({ uri, mimeType, size }: Message) => `${uri} ${mimeType} ${size}`),
      [
        'file://README.md text/markdown 10',
        'file://AGENTS.md text/markdown 29',
        'file://Docs/a%20b.ts text/x-typescript 11',
        'file://Docs/b.json application/json 8',
        `file://Docs/long.md text/markdown ${8 + 300 * 17}`,
        'file://Docs/picture.png image/png 16',
        'file://CLAUDE.md text/markdown 29',
        'file://large.bin application/octet-stream 4000',
      ],
    );
    assert.deepEqual(
      [files[0].name, files[0].title, files[0].description],
      ['README.md', 'Documentation: README.md', 'MCP documentation file: README.md'],
    );
    assert.equal(result.resources.at(-1).uri, 'file://large.bin', 'files come last');
  },
);

onEveryMount('every spelling of a listed file gives it', async (t, Serve) => {
  const root = project(t);
  run(['build', '--root', root]);
  const served = new Serve(t, ['--root', root]);
  const spellings = [
    'file://AGENTS.md',
    'file://agents.md/',
    'file://agents.md',
    'AGENTS.md',
    `file://${root}/AGENTS.md`,
    `file://localhost${root}/AGENTS.md`,
  ];
  for (const uri of spellings) {
    const { result, error } = await served.request('resources/read', { uri });
    assert.equal(error, undefined, `${uri} ${JSON.stringify(error)}`);
    const expected = { uri, mimeType: 'text/markdown', text: '# Agents\n\n"Quoted" — über\n' };
    assert.deepEqual(result.contents, [expected]);
    assert.deepEqual((await served.modern('resources/read', { uri })).result.contents, [expected]);
  }
  const read = async (uri: string): Promise<Message> =>
    (await served.request('resources/read', { uri })).result.contents[0];
  assert.deepEqual(await read('file://docs/picture.png'), {
    uri: 'file://docs/picture.png',
    mimeType: 'image/png',
    blob: PNG.toString('base64'),
  });
  assert.equal((await read('Docs/a b.ts')).mimeType, 'text/x-typescript');
  assert.match(
    (await read('guide://document/docs/x.md')).text,
    /\[agents\]\(file:\/\/AGENTS\.md#agents\), \[code\]\(file:\/\/Docs\/a%20b\.ts\)/,
  );
  const first = await read('file://Docs/long.md');
  assert.match(first.text, /\[Page 1 of 3\. The next is file:\/\/Docs\/long\.md\?page=2\]$/);
  assert.match((await read('file://Docs/long.md?page=3')).text, /A line of words\.\n$/);
});

onEveryMount('whatever is not in the table is denied, alike for what is there and what is not', async (t, Serve) => {
  const root = project(t);
  run(['build', '--root', root]);
  const served = new Serve(t, ['--root', root]);
  const denied = [
    'file://.env',
    'file://project.yaml',
    'file://nothing.md',
    'file:///etc/passwd',
    `file://${root}/.env`,
    `file://${root}-evil/AGENTS.md`,
    'file://Docs/secrets/token.txt',
    'file://leads-out.md',
    'nothing.md',
    'agents.txt',
    'file://Docs',
    'file://',
  ];
  for (const uri of denied) {
    const { error } = await served.request('resources/read', { uri });
    assert.deepEqual([error?.code, error?.message, error?.data.kind], [-32003, 'Access denied', 'access_denied'], uri);
    assert.ok(error.data.hint && error.data.setup && error.data.docs);
    assert.equal((await served.modern('resources/read', { uri })).error.code, -32602);
  }
  for (const uri of ['nothing', 'file://a/../AGENTS.md', 'file://..%2fAGENTS.md', '/etc/passwd'])
    assert.equal((await served.request('resources/read', { uri })).error.data.kind, 'invalid_uri', uri);
  const { error } = await served.request('resources/read', { uri: 'file://AGENT.md' });
  assert.match(error.data.hint, /Did you mean file:\/\/AGENTS\.md\?/);
  const large = (await served.request('resources/read', { uri: 'file://large.bin' })).error;
  assert.deepEqual([large.code, large.data.kind], [-32602, 'too_large']);
  assert.match(run(['verify', '--root', root]).stdout, /^whole/);
});

test('a file over the cap is left out; a path that leaves the root is an error', (t) => {
  const root = temporaryFolder(t, { 'project.yaml': 'version: "1.0"\nproject: { name: a }\nfiles: [big.txt]\n' });
  writeFileSync(join(root, 'big.txt'), Buffer.alloc(8 * 1024 * 1024 + 1, 'a'));
  const { diagnostics } = JSON.parse(run(['build', '--root', root, '--json']).stdout);
  assert.deepEqual(
    diagnostics.map(({ code }: Message) => code),
    ['file-too-large'],
  );
  for (const path of ['/etc/passwd', '../x', 'a/../../x']) {
    writeFileSync(join(root, 'project.yaml'), `version: "1.0"\nproject: { name: a }\nfiles: [${path}]\n`);
    const outcome = JSON.parse(run(['build', '--root', root, '--json']).stdout);
    assert.deepEqual(
      [outcome.ok, outcome.diagnostics[0].code, outcome.diagnostics[0].line],
      [false, 'value-wrong', 3],
      path,
    );
  }
});
