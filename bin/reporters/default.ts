// For people: every problem with its line, then the sum, the facts of what was made, and where to read on.

import { diagnosticsText, type Lines } from '../diagnostics.ts';
import { type Outcome, summaryLine } from '../outcome.ts';
import { type Paint, printable, size } from '../terminal.ts';

/** An address: whoever builds a guide has this project's command, not its sources. */
const MANUAL = 'https://github.com/fieldguide/fieldguide/blob/main/content/manual/problems.md';

export type DefaultReport = { problems: string; summary: string; hint: string };

/** The summary may go to another stream than the rest. */
export function defaultReport(outcome: Outcome, lines: Lines, paint: Paint, paintSummary: Paint): DefaultReport {
  return {
    problems: diagnosticsText(outcome.diagnostics, lines, paint),
    summary: outcome.ok ? success(outcome, paintSummary) : failure(outcome, paintSummary),
    hint: hint(outcome),
  };
}

function success(outcome: Outcome, paint: Paint): string {
  return `${paint('bold', summaryLine(outcome))}\n${facts(outcome)}`;
}

function facts({ bundle, check }: Outcome): string {
  if (bundle === undefined) return '';
  const state = check?.state ?? (bundle.changed ? undefined : 'unchanged');
  const rows = [
    ['project', bundle.name],
    ['modules', String(bundle.modules)],
    ['documents', String(bundle.documents)],
    ['resources', String(bundle.resources)],
    ['prompts', String(bundle.prompts)],
    ['bundle', [bundle.file, size(bundle.bytes), state].filter((part) => part !== undefined).join(', ')],
    ['digest', bundle.digest],
  ];
  return `${rows.map(([label, value]) => `${(label as string).padEnd(10)} ${printable(value as string)}`).join('\n')}\n`;
}

function failure(outcome: Outcome, paint: Paint): string {
  const command = outcome.isCheck ? 'fieldguide build --check' : 'fieldguide build';
  const strict = outcome.errors === 0 ? ', and --strict' : '';
  const sum = paint('bold', `${summaryLine(outcome)}${strict}`);
  return `${command}: ${sum}${outcome.isCheck ? '' : '; nothing was written'}.\n`;
}

function hint({ errors, warnings, isStrict }: Outcome): string {
  if (errors + warnings === 0) return '';
  const strict = warnings > 0 && !isStrict ? '--strict makes warnings fail.\n' : '';
  return `Each code is explained at ${MANUAL}\n${strict}`;
}
