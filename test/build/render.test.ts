import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Project, project } from '../../build/project.ts';
import { instructions, render } from '../../build/render.ts';
import { pageNotice } from '../../runtime/pages.ts';
import { pageStarts } from '../../runtime/paginate.ts';
import { SHOP } from '../support/shop.ts';

function shop(source = SHOP): Project {
  const found = project(source, (diagnostic) => assert.fail(diagnostic.what));
  assert.ok(found);
  return found;
}

function text(uri: string, source = SHOP): string {
  return render(shop(source)).find((entry) => entry.uri === uri)?.text ?? '';
}

test('the overview has the labels and the order that agents rely on', () => {
  assert.equal(
    text('context://project/overview'),
    `# Project: My SaaS App

**Type:** fullstack  
**Path:** apps/shop

## Tech Stack

- **Stack:** TypeScript, React
- **Runtime:** Node.js 20
- **Package Manager:** pnpm

## Architecture

**Pattern:** feature-based  
**Description:** Features on top of a thin core.

## Modules (3)

### auth

Authentication and authorization

**Key Files:**

- src/auth/index.ts (entry)
- src/auth/config.ts (config)

**Patterns:** 2  
**Business Rules:** 1  
**Common Issues:** 1

### users

People and their teams — über alles.
Second line.

**Key Files:** None

**Patterns:** 0  
**Business Rules:** 0  
**Common Issues:** 0

### größe & co

not stated

**Key Files:** None

**Patterns:** 0  
**Business Rules:** 0  
**Common Issues:** 0
`,
  );
});

test('a module page has the labels and the order that agents rely on', () => {
  assert.equal(
    text('context://module/auth'),
    `# Module: auth

Authentication and authorization

## Key Files

### src/auth/index.ts

**Role:** entry  
Where it starts.

### src/auth/config.ts

**Role:** config

## Patterns (2)

- Use JWT tokens in httpOnly cookies
- Implement token refresh with mutex locks

## Business Rules (1)

- Sessions end after 30 minutes, "always"

## Common Issues (1)

### Refresh tokens race

**Solution:** Take the mutex first.  
**Discovered:** 2025-01-15T10:00:00Z (Session: abc12345)

## Dependencies

users, größe & co
`,
  );
});

test('what is missing is said to be not stated', () => {
  const page = text('context://project/overview', 'version: "1.0"\nproject: { name: a }\n');
  assert.match(page, /\*\*Type:\*\* not stated {2}\n\*\*Path:\*\* \.\n/);
  assert.match(page, /\*\*Stack:\*\* not stated/);
  assert.match(page, /## Modules \(0\)\n$/);
});

test('what authors wrote comes out as they wrote it', () => {
  const written = '*star* _under_ [link](x) <b> \\ `code` # | ~ & {{x}} $a$ > 1. - [!NOTE] https://a.b/c_d_e';
  const source = `version: "1.0"\nproject: { name: a }\nmodules: { m: { patterns: [${JSON.stringify(written)}] } }\n`;
  assert.ok(text('context://module/m', source).includes(`\n- ${written}\n`));
});

test('a list entry of several lines stays one entry', () => {
  const source = 'version: "1.0"\nproject: { name: a }\nmodules: { m: { patterns: ["one\\ntwo"] } }\n';
  assert.ok(text('context://module/m', source).includes('\n- one\n  two\n'));
});

test('instructions name the ways in within their first 500 characters and stay under 2 KB', () => {
  const modules = Array.from({ length: 500 }, (_, n) => `  a-module-with-a-long-name-${n}: {}`).join('\n');
  const { text: wide } = instructions(
    shop(`version: "1.0"\nproject: { name: ${'名'.repeat(200)}, description: ${'字'.repeat(5000)} }\n`),
    true,
  );
  assert.ok(Buffer.byteLength(wide) < 2048);
  const { text: long } = instructions(
    shop(`version: "1.0"\nproject: { name: a, description: ${'x'.repeat(5000)} }\nmodules:\n${modules}\n`),
    true,
  );
  assert.ok(Buffer.byteLength(long) < 2048);
  assert.match(long.slice(0, 500), /context:\/\/project\/overview/);
  for (const way of ['context://for/{path}', 'guide://help', 'context://module/{name}', 'tool search'])
    assert.ok(long.slice(0, 500).includes(way), way);
});

test('a text within its limit is one page', () => {
  assert.deepEqual(pageStarts('context://x', 'a\n'.repeat(512), 1024), []);
});

test('pages end at a heading, else at a line, else between characters', () => {
  const sections = Array.from({ length: 20 }, (_, n) => `## Section ${n}\n\n${'words and words\n'.repeat(20)}\n`).join(
    '',
  );
  for (const [long, good] of [
    [sections, /^## Section/],
    ['a line of words\n'.repeat(500), /^a line/],
    ['💡'.repeat(2000), /^💡/u],
  ] as const) {
    const starts = pageStarts('context://x', long, 1024);
    const pages = starts.map((at, n) => long.slice(at, starts[n + 1]));
    assert.equal(pages.join(''), long);
    for (const [n, page] of pages.entries()) {
      assert.match(page, good);
      assert.ok(Buffer.byteLength(page + pageNotice('context://x', n + 1, pages.length)) <= 1024);
    }
  }
});
