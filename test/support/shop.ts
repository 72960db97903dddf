// A small project that tests share, and its bundle.

import { type Diagnostic, Diagnostics } from '../../build/diagnostics.ts';
import { type Built, compile, NO_SOURCES } from '../../build/pipeline.ts';
import { project } from '../../build/project.ts';

export const SHOP = `version: "1.0"
project:
  name: My SaaS App
  type: fullstack
  path: apps/shop
tech:
  stack: [TypeScript, React]
  runtime: Node.js 20
  packageManager: pnpm
architecture:
  pattern: feature-based
  description: Features on top of a thin core.
modules:
  auth:
    description: Authentication and authorization
    keyFiles:
      - { path: src/auth/index.ts, role: entry, description: Where it starts. }
      - { path: src/auth/config.ts, role: config }
    patterns:
      - Use JWT tokens in httpOnly cookies
      - Implement token refresh with mutex locks
    businessRules: ["Sessions end after 30 minutes, \\"always\\""]
    commonIssues:
      - description: Refresh tokens race
        solution: Take the mutex first.
        discoveredAt: 2025-01-15T10:00:00Z
        sessionId: abc12345
    dependencies: [users, größe & co]
  users:
    description: |
      People and their teams — über alles.
      Second line.
  größe & co: {}
`;

/** Its folder, with the files that it names. */
export const SHOP_FILES = { 'project.yaml': SHOP, 'src/auth/index.ts': '', 'src/auth/config.ts': '' };

/** The same with an overview of several pages. */
export const SHOP_IN_PAGES = `${SHOP.replace('Features on top', `${'Long "words" — '.repeat(100)}Features on top`)}limits: { overview: 1KB }\n`;

export function diagnose(source: string): { diagnostics: Diagnostic[]; built: Built | undefined } {
  const diagnostics = new Diagnostics();
  const checked = project(source, diagnostics.report);
  const built = checked === undefined ? undefined : compile(checked, NO_SOURCES, diagnostics);
  return { diagnostics: diagnostics.sorted(), built };
}

export function bundleBytes(source = SHOP): Buffer {
  const { built, diagnostics } = diagnose(source);
  if (built === undefined) throw new Error(JSON.stringify(diagnostics));
  return built.bytes;
}
