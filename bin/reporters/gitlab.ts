// GitLab's code quality report: an array of findings, each with a fingerprint by which the merge request
// tells new ones from old ones.

import type { Outcome } from '../outcome.ts';
import { fingerprints } from './fingerprint.ts';

const SEVERITIES = { error: 'major', warning: 'minor' } as const;

export function gitlab(outcome: Outcome): string {
  const marks = fingerprints(outcome);
  const findings = outcome.diagnostics.map(({ file, line, severity, code, what, fix }, n) => ({
    description: `${what} ${fix}`,
    check_name: code,
    fingerprint: marks[n],
    severity: SEVERITIES[severity],
    location: { path: outcome.prefix + file, lines: { begin: line } },
  }));
  return `${JSON.stringify(findings, null, 2)}\n`;
}
