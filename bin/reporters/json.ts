// The outcome as data.

import type { Outcome } from '../outcome.ts';

export function json(outcome: Outcome): string {
  return `${JSON.stringify(outcomeData(outcome), null, 2)}\n`;
}

/** One line for each build, for those who read along. */
export function jsonLine(outcome: Outcome): string {
  return `${JSON.stringify(outcomeData(outcome))}\n`;
}

function outcomeData(outcome: Outcome): Record<string, unknown> {
  const { ok, errors, warnings, documents, durationMs, diagnostics, bundle, check } = outcome;
  return {
    ok,
    errors,
    warnings,
    documents,
    durationMs: Math.round(durationMs),
    ...(check === undefined ? {} : { check: check.state }),
    ...(check?.changes === undefined ? {} : { changes: check.changes }),
    diagnostics,
    ...(bundle === undefined ? {} : { bundle }),
  };
}
