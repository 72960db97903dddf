// The guide as agents read it: built by the real command, served by the real server.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import PostalMime from 'postal-mime';
import { type Message, run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type AnyServed, onEveryMount, type Serve } from '../support/mounts.ts';

const FILES = {
  'project.yaml': `version: "1.0"
project: { name: Shop }
guide:
  categories:
    docs: { patterns: ["*.md"], description: How things are done }
    api: { dir: reference }
  collections:
    start: { categories: [docs, api/v1/*] }
    all: { categories: [start, api] }
  help: help.md
limits: { response: 2KB }
`,
  'content/help.md': '# More help\n\nAsk on the channel.\n',
  'content/docs/intro.md':
    '---\ntitle: Introduction\npriority: 0.9\n---\n# Hello\n\nSee [setup](setup.md#step-1), [v1](../reference/v1/users.md) and [site](https://x.y).\n',
  'content/docs/setup.md': '# Setup\n\n## Step 1\n\nDo it — now.\n',
  'content/docs/deep/more.md': '# More\n\n[back](../intro)\n',
  'content/docs/notes.txt': 'plain notes\n',
  'content/docs/_draft.md': '# Draft\n',
  'content/docs/.hidden.md': '# Hidden\n',
  'content/docs/boundary.md': '# Boundary\n\n--guide-boundary\n',
  'content/reference/v1/users.md': '# Users\n',
  'content/reference/v1/teams.md': '# Teams\n',
  'content/reference/v2/users.md': '# Users 2\n',
};

function built(t: TestContext, Serve: Serve): AnyServed {
  const root = temporaryFolder(t, FILES);
  const { code, stderr } = run(['build', '--root', root]);
  assert.deepEqual([code, stderr], [0, '']);
  return new Serve(t, ['--root', root]);
}

async function read(served: AnyServed, uri: string): Promise<{ mimeType: string; text: string }> {
  const { result, error } = await served.request('resources/read', { uri });
  assert.equal(error, undefined, JSON.stringify(error));
  assert.equal(result.contents[0].uri, uri);
  return result.contents[0];
}

/** The parts of a multipart text, by Python's own MIME parser. */
function partsOf({
  mimeType,
  text,
}: {
  mimeType: string;
  text: string;
}): { location: string; length: number; body: string }[] {
  const program = `
import sys, json, email, email.policy
raw = sys.stdin.buffer.read()
m = email.message_from_bytes(raw, policy=email.policy.default)
print(json.dumps([[p['Content-Location'], int(p['Content-Length']), p.get_payload(decode=True).decode()] for p in m.iter_parts()]))`;
  const input = `Content-Type: ${mimeType}\r\n\r\n${text}`;
  const rows: [string, number, string][] = JSON.parse(
    execFileSync('python3', ['-c', program], { input, encoding: 'utf8' }),
  );
  return rows.map(([location, length, body]) => ({ location, length, body }));
}

onEveryMount(
  'a document is its source without front matter, links turned into the URIs of their targets',
  async (t, Serve) => {
    const served = built(t, Serve);
    const { mimeType, text } = await read(served, 'guide://document/docs/intro.md');
    assert.equal(mimeType, 'text/markdown');
    assert.equal(
      text,
      '# Hello\n\nSee [setup](guide://document/docs/setup.md#step-1), [v1](guide://document/api/v1/users.md) and [site](https://x.y).\n',
    );
    assert.equal((await read(served, 'guide://document/docs/intro')).text, text);
    assert.equal((await read(served, 'guide://document/all/intro')).text, text);
    assert.match(
      (await read(served, 'guide://document/docs/deep%2Fmore')).text,
      /\[back\]\(guide:\/\/document\/docs\/intro\.md\)/,
    );
    assert.equal((await read(served, 'guide://document/docs/notes')).mimeType, 'text/markdown');
  },
);

onEveryMount('several documents are one multipart text that MIME parsers read', async (t, Serve) => {
  const served = built(t, Serve);
  const found = await read(served, 'guide://category/api/**');
  assert.equal(found.mimeType, 'multipart/mixed; boundary="guide-boundary"');
  const parts = partsOf(found);
  assert.deepEqual(
    parts.map(({ location, body }) => [location, body]),
    [
      ['guide://category/api/v1/teams.md', '# Teams\n'],
      ['guide://category/api/v1/users.md', '# Users\n'],
      ['guide://category/api/v2/users.md', '# Users 2\n'],
    ],
  );
  for (const { length, body } of parts) assert.equal(Buffer.byteLength(body), length);
  const { attachments } = await PostalMime.parse(`Content-Type: ${found.mimeType}\r\n\r\n${found.text}`, {
    forceRfc822Attachments: true,
    attachmentEncoding: 'utf8',
  });
  assert.deepEqual(
    attachments.map(({ content }) => content),
    parts.map(({ body }) => `${body}\n`),
    'postal-mime ends every text with a line break of its own',
  );
  const single = await read(served, 'guide://category/api/v2/*');
  assert.deepEqual([single.mimeType, single.text], ['text/markdown', '# Users 2\n']);
});

onEveryMount(
  'a category answers with its own patterns, a collection with all of its documents once',
  async (t, Serve) => {
    const served = built(t, Serve);
    const locations = async (uri: string): Promise<string[]> =>
      partsOf(await read(served, uri)).map(({ location }) => location.replace('guide://category/', ''));
    assert.deepEqual(await locations('guide://category/docs'), ['docs/boundary.md', 'docs/intro.md', 'docs/setup.md']);
    assert.deepEqual(await locations('guide://collection/start'), [
      'docs/boundary.md',
      'docs/intro.md',
      'docs/setup.md',
      'api/v1/teams.md',
      'api/v1/users.md',
    ]);
    assert.deepEqual(await locations('guide://category/docs/{intro,setup}'), ['docs/intro.md', 'docs/setup.md']);
  },
);

onEveryMount('a boundary that occurs in a document gets a suffix', async (t, Serve) => {
  const found = await read(built(t, Serve), 'guide://category/docs');
  assert.equal(found.mimeType, 'multipart/mixed; boundary="guide-boundary-1"');
  assert.match(partsOf(found)[0]?.body ?? '', /--guide-boundary\n/);
});

onEveryMount('what is not there is said with the nearest name', async (t, Serve) => {
  const served = built(t, Serve);
  const cases: [string, number, string, string, RegExp][] = [
    ['guide://category/dcos', -32002, 'Category not found: dcos', 'not_found', /"docs"/],
    ['guide://collection/strat', -32002, 'Collection not found: strat', 'not_found', /"start"/],
    ['guide://document/nowhere/x', -32002, 'Context not found', 'not_found', /guide:\/\/help/],
    ['guide://document/docs/itnro.md', -32002, 'Document not found: itnro.md', 'not_found', /"intro.md"/],
    ['guide://document/docs/*', -32002, 'Document not found: *', 'not_found', /guide:\/\/help/],
    ['guide://category/docs/nothing*', -32002, 'No documents matched', 'no_matches', /guide:\/\/help/],
    ['guide://document/docs/_draft.md', -32002, 'Document not found: _draft.md', 'not_found', /./],
    ['guide://category/docs?page=9', -32002, 'Page not found: 9', 'not_found', /./],
    [`guide://category/docs/${'{a,b}'.repeat(20)}`, -32602, 'Invalid pattern', 'invalid_params', /./],
  ];
  for (const [uri, code, message, kind, hint] of cases) {
    const { error }: Message = await served.request('resources/read', { uri });
    assert.deepEqual([error.code, error.message, error.data.kind], [code, message, kind], uri);
    if (error.data.hint !== undefined) assert.match(error.data.hint, hint);
    assert.equal((await served.modern('resources/read', { uri })).error.code, -32602);
  }
});

onEveryMount('help is made from this very bundle, and every example in it can be read', async (t, Serve) => {
  const served = built(t, Serve);
  const { text } = await read(served, 'guide://help');
  assert.match(text, /`guide:\/\/category\/docs`: How things are done \(5 documents\)/);
  assert.match(text, /# More help\n\nAsk on the channel\.\n$/);
  const examples = text.slice(text.indexOf('## Examples')).match(/`guide:\/\/[^`]+`/g) ?? [];
  assert.ok(examples.length >= 7);
  for (const example of examples) await read(served, example.slice(1, -1));
});

onEveryMount('the list has help, collections, categories and each document once, in this order', async (t, Serve) => {
  const { result } = await built(t, Serve).request('resources/list');
  const uris: string[] = result.resources.map(({ uri }: Message) => uri);
  assert.deepEqual(uris.slice(0, 9), [
    'context://project/overview',
    'context://session/current',
    'context://sessions/recent',
    'context://discoveries',
    'guide://help',
    'guide://collection/start',
    'guide://collection/all',
    'guide://category/docs',
    'guide://category/api',
  ]);
  assert.equal(uris.length, 17);
  assert.ok(!uris.some((uri) => /draft|hidden/.test(uri)));
  const intro = result.resources.find(({ uri }: Message) => uri === 'guide://document/docs/intro.md');
  assert.deepEqual([intro.title, intro.annotations], ['Introduction', { priority: 0.9 }]);
});

onEveryMount(
  'many documents come in pages of parts, each a whole multipart text that names the next',
  async (t, Serve) => {
    const files: Record<string, string> = {
      'project.yaml': 'version: "1.0"\nproject: { name: many }\nlimits: { response: 1KB }\n',
    };
    for (let n = 10; n < 40; n++) files[`content/docs/d${n}.md`] = `# Document ${n}\n\n${'words '.repeat(30)}\n`;
    const root = temporaryFolder(t, files);
    assert.equal(run(['build', '--root', root]).code, 0);
    const served = new Serve(t, ['--root', root]);
    const seen: string[] = [];
    let uri: string | undefined = 'guide://collection/all';
    while (uri !== undefined) {
      const parts = partsOf(await read(served, uri));
      uri = parts.at(-1)?.location.includes('?page=') ? parts.pop()?.location : undefined;
      seen.push(...parts.map(({ location }) => location));
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 30 }, (_, n) => `guide://category/docs/d${n + 10}.md`),
    );
  },
);

test('broken links, titles and front matter are reported where they stand; the bundle is built', (t) => {
  const root = temporaryFolder(t, {
    'project.yaml':
      'version: "1.0"\nproject: { name: a }\nguide: { categories: { docs: { patterns: ["**/*.md", "no*"] }, gone: {} } }\nignore: [{ rule: title-missing, reason: fine }]\n',
    'content/docs/a.md': '---\ntitel: x\npriority: 7\n---\n# A\n\n[x](missing.md) [y](b.md#nope) [z](../other.md)\n',
    'content/docs/b.md': '# B\n\nAKIAABCDEFGHIJKLMNOP \u202e\n',
    'content/docs/c.md': 'no heading\n',
    'content/docs/d.md': '---\na: [\n---\n# D\n',
    'content/other.md': '# Other\n',
  });
  const { ok, diagnostics } = JSON.parse(run(['build', '--root', root, '--json']).stdout);
  assert.equal(ok, true);
  assert.deepEqual(
    diagnostics.map(({ file, line, column, code }: Message) => `${file}:${line}:${column} ${code}`),
    [
      'content/docs/a.md:2:1 front-matter-slip',
      'content/docs/a.md:3:1 front-matter-value',
      'content/docs/a.md:7:5 link-broken',
      'content/docs/a.md:7:21 anchor-broken',
      'content/docs/a.md:7:36 link-not-served',
      'content/docs/b.md:3:1 secret-probable',
      'content/docs/b.md:3:22 characters-hidden',
      'content/docs/d.md:3:1 front-matter-syntax',
      'content/other.md:1:1 document-unserved',
      'project.yaml:3:54 pattern-unmatched',
      'project.yaml:3:64 category-missing',
    ],
  );
  assert.ok(!JSON.stringify(diagnostics).includes('AKIA'));
  assert.ok(readFileSync(join(root, 'dist-index/context.fgb')).length > 0);
});

test('neighbours of one title are reported once; index pages and other folders are not', (t) => {
  const root = temporaryFolder(t, {
    'project.yaml': 'version: "1.0"\nproject: { name: a }\n',
    'content/docs/a.md': '# Same\n',
    'content/docs/b.md': '# Same\n',
    'content/docs/c.md': '---\ntitle: Same\n---\ntext\n',
    'content/docs/index.md': '# Same\n',
    'content/docs/deep/d.md': '# Same\n',
  });
  const { diagnostics } = JSON.parse(run(['build', '--root', root, '--json']).stdout);
  assert.deepEqual(
    diagnostics.map(({ file, code, what }: Message) => `${file} ${code} ${what}`),
    ['content/docs/b.md title-duplicate It is called "Same", as a.md beside it is, and so is one more.'],
  );
});

test('a folder of fragments without titles is one problem; their own anchors are not looked for', (t) => {
  const files: Record<string, string> = { 'project.yaml': 'version: "1.0"\nproject: { name: a }\n' };
  for (let n = 10; n < 30; n++) files[`content/parts/f${n}.md`] = 'Only words, [see](#elsewhere).\n';
  for (let n = 10; n < 40; n++) files[`content/docs/d${n}.md`] = `# ${n}\n`;
  files['content/docs/b.md'] = 'no heading\n';
  const { diagnostics } = JSON.parse(run(['build', '--root', temporaryFolder(t, files), '--json']).stdout);
  assert.deepEqual(
    diagnostics.map(({ file, code, what }: Message) => `${file} ${code} ${what.slice(0, 40)}`),
    [
      'content/docs/b.md title-missing It has neither a title in the front matt',
      'content/parts/f10.md title-missing It and 19 others under content/parts/ ha',
    ],
  );
});

test('unknown members and cycles of collections are errors', (t) => {
  const root = temporaryFolder(t, {
    'project.yaml':
      'version: "1.0"\nproject: { name: a }\nguide:\n  categories: { docs: {} }\n  collections:\n    a: { categories: [b] }\n    b: { categories: [a, dcos] }\n',
    'content/docs/a.md': '# A\n',
  });
  const { ok, diagnostics } = JSON.parse(run(['build', '--root', root, '--json']).stdout);
  assert.equal(ok, false);
  assert.deepEqual(
    diagnostics.map(({ line, code }: Message) => `${line} ${code}`),
    ['6 collection-cycle', '7 collection-cycle', '7 collection-unknown'].sort(),
  );
});

test('markup made to hang a parser costs its budget, and the rest is built', (t) => {
  const root = temporaryFolder(t, {
    'project.yaml': 'version: "1.0"\nproject: { name: a }\n',
    'content/docs/evil.md': 'a <![CDATA[ '.repeat(100_000),
    'content/docs/good.md': '# Good\n',
  });
  const { ok, bundle, diagnostics } = JSON.parse(run(['build', '--root', root, '--json']).stdout);
  assert.equal(ok, true);
  assert.equal(bundle.documents, 1);
  assert.deepEqual(
    diagnostics.map(({ file, code }: Message) => `${file} ${code}`),
    ['content/docs/evil.md document-too-slow'],
  );
});

test('a document that is not text, or too large, is reported and left out; the rest is built', (t) => {
  const root = temporaryFolder(t, {
    'project.yaml': 'version: "1.0"\nproject: { name: a }\n',
    'content/docs/good.md': '# Good\n',
    'content/docs/large.md': `# Large\n${'x'.repeat(2 * 1024 * 1024)}`,
    'content/docs/untitled.md': 'no heading\n',
  });
  writeFileSync(join(root, 'content/docs/latin1.md'), Buffer.from([0x23, 0x20, 0xe4, 0x0a]));
  const { ok, bundle, diagnostics } = JSON.parse(run(['build', '--root', root, '--json']).stdout);
  assert.deepEqual([ok, bundle.documents], [true, 2]);
  assert.deepEqual(
    diagnostics.map(({ file, code }: Message) => `${file} ${code}`),
    [
      'content/docs/large.md document-too-large',
      'content/docs/latin1.md document-not-utf8',
      'content/docs/untitled.md title-missing',
    ].sort(),
  );
});
