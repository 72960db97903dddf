// context://for/{path}: what concerns one file, and nothing else, the most specific first.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type AnyServed, onEveryMount, type Serve } from '../support/mounts.ts';

const FILES = {
  'project.yaml': `version: "1.0"
project: { name: Mono }
modules:
  app:
    description: The shell
    keyFiles: [{ path: src/main.ts, role: entry }, { path: package.json }]
  auth:
    description: Sign-in
    keyFiles: [{ path: src/auth/index.ts, role: entry }, { path: ./src/auth/token.ts, role: core }]
    businessRules: [Sessions end after 30 minutes]
    patterns: [Tokens are opaque]
    commonIssues: [{ description: Refresh races, solution: Take the mutex }]
`,
  'src/main.ts': '',
  'src/auth/index.ts': '',
  'src/auth/token.ts': '',
  'content/docs/all.md': '---\nappliesTo: ["**/*.ts"]\n---\n# All TypeScript\n',
  'content/docs/auth.md':
    '---\ndescription: How sign-in works\nappliesTo: src/auth/**\n---\n# Auth\n\n[tokens](../../src/auth/token.ts#L3), [folder](../../src/auth/)\n',
  'content/docs/other.md': '---\nappliesTo: ["lib/**"]\n---\n# Other\n\n[auth](auth.md)\n',
};

function served(t: TestContext, Serve: Serve): { server: AnyServed; root: string } {
  const root = temporaryFolder(t, FILES);
  assert.equal(run(['build', '--root', root]).code, 0);
  return { server: new Serve(t, ['--root', root]), root };
}

async function pageFor(server: AnyServed, path: string): Promise<string> {
  const { result, error } = await server.request('resources/read', { uri: `context://for/${path}` });
  assert.equal(error, undefined, JSON.stringify(error));
  assert.equal(result.contents[0].mimeType, 'text/markdown');
  return result.contents[0].text;
}

onEveryMount(
  'a key file has its module in short, and the documents about it, the most specific first',
  async (t, Serve) => {
    const { server } = served(t, Serve);
    assert.equal(
      await pageFor(server, 'src/auth/token.ts'),
      `# Context for src/auth/token.ts

## Module: auth

It is a key file of this module (core).

Sign-in

### Business Rules (1)

- Sessions end after 30 minutes

### Patterns (1)

- Tokens are opaque

### Common Issues (1)

- Refresh races — Take the mutex

More: context://module/auth

## Documents (2)

- [Auth](guide://document/docs/auth.md): How sign-in works (links to this file)
- [All TypeScript](guide://document/docs/all.md) (applies to \`**/*.ts\`)
`,
    );
  },
);

onEveryMount('another file of the folder has the module of the nearest folder only', async (t, Serve) => {
  const { server } = served(t, Serve);
  const page = await pageFor(server, 'src/auth/deep/new%20file.ts');
  assert.match(
    page,
    /^# Context for src\/auth\/deep\/new file\.ts\n\n## Module: auth\n\nIt lies in the folder of src\/auth\/index\.ts/,
  );
  assert.doesNotMatch(page, /Module: app/);
  assert.match(page, /\[Auth\]\(.*\): How sign-in works \(applies to `src\/auth\/\*\*`\)\n- \[All TypeScript\]/);
  assert.match(await pageFor(server, 'src/other.ts'), /Module: app/);
  assert.match(await pageFor(server, 'package.json'), /It is a key file of this module\./);
  assert.match(await pageFor(server, 'content/docs/auth.md'), /\[Other\].*links to this file/);
});

onEveryMount('nothing known is a page that says so; every form of a path is one file', async (t, Serve) => {
  const { server, root } = served(t, Serve);
  assert.match(await pageFor(server, 'README.md'), /^# Context for README\.md\n\nNothing is known about this file/);
  const expected = await pageFor(server, 'src/auth/token.ts');
  for (const path of [join(root, 'src/auth/token.ts'), `${root.slice(1)}/src/auth/token.ts`, 'src%2Fauth%2Ftoken.ts'])
    assert.equal(await pageFor(server, path), expected, path);
  for (const uri of ['context://for/', 'context://for//etc/passwd'])
    assert.equal((await server.request('resources/read', { uri })).error.code, -32602, uri);
  assert.equal((await server.request('resources/read', { uri: 'context://for/../x' })).error.data.kind, 'invalid_uri');
});

onEveryMount('paths are completed', async (t, Serve) => {
  const { server } = served(t, Serve);
  const { result } = await server.request('completion/complete', {
    ref: { type: 'ref/resource', uri: 'context://for/{+path}' },
    argument: { name: 'path', value: 'src/a' },
  });
  assert.deepEqual(result.completion.values, ['src/auth/index.ts', 'src/auth/token.ts']);
});
