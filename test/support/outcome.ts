// Outcomes of builds as literals, for reporters, which are functions of them.

import type { Outcome } from '../../bin/outcome.ts';
import { type Code, type Diagnostic, problem } from '../../build/diagnostics.ts';

export function found(code: Code, file: string, line: number, column: number, what: string, fix: string): Diagnostic {
  return problem(code, { file, line, column }, what, fix);
}

export const UNKNOWN_KEY = found(
  'key-unknown',
  'project.yaml',
  2,
  1,
  'The key "tehc" is unknown.',
  'Did you mean "tech"?',
);
export const BROKEN_LINK = found('link-broken', 'docs/a.md', 3, 5, 'gone.md leads to no file.', 'Mend the path.');

/** A build that found these problems; it made a bundle unless one is an error. */
export function outcomeOf(diagnostics: readonly Diagnostic[], more: Partial<Outcome> = {}): Outcome {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  return {
    ok: errors === 0,
    diagnostics,
    errors,
    warnings: diagnostics.length - errors,
    documents: 2140,
    durationMs: 812.4,
    isStrict: false,
    isCheck: false,
    bundle: errors === 0 ? BUNDLE : undefined,
    check: undefined,
    prefix: '',
    ...more,
  };
}

const BUNDLE = {
  name: 'Shop',
  file: 'dist-index/context.fgb',
  digest: 'sha256:0123',
  bytes: 2048,
  resources: 7,
  modules: 3,
  documents: 2140,
  prompts: 2,
  tokens: 123456,
  changed: true,
  written: true,
};
