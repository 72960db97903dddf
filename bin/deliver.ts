// Reports to where they go. One that cannot be written stops none of the others.

import { linesUnder } from './diagnostics.ts';
import type { Outcome } from './outcome.ts';
import { defaultReport } from './reporters/default.ts';
import { inert } from './reporters/inert.ts';
import { markdown } from './reporters/markdown.ts';
import { REPORTERS, type Report } from './reports.ts';
import { type Paint, painter } from './terminal.ts';
import { appendSummary, writeReport } from './write-report.ts';

const PLAIN: Paint = (_, text) => text;

/** Whether all could be written; what could not is said on stderr. */
export function deliver(reports: readonly Report[], outcome: Outcome, root: string): boolean {
  let isWhole = true;
  for (const report of reports) {
    try {
      deliverOne(report, outcome, root);
    } catch (error) {
      isWhole = false;
      process.stderr.write(`fieldguide build: ${(error as Error).message}\n`);
    }
  }
  return isWhole;
}

function deliverOne({ name, to }: Report, outcome: Outcome, root: string): void {
  if (name === 'default' && typeof to === 'string') return printDefault(to, outcome, root);
  const text = REPORTERS.get(name)?.(outcome) ?? wholeDefault(outcome, root);
  if (typeof to !== 'string') writeReport(to.file, text);
  else print(process.stdout, name === 'github' ? text : harmless(text));
  if (name === 'github') summarize(outcome);
}

/** What was made is data; what went wrong is for people. */
function printDefault(to: 'stdout' | 'stderr', outcome: Outcome, root: string): void {
  const stream = to === 'stdout' && outcome.ok ? process.stdout : process.stderr;
  const report = defaultReport(outcome, linesUnder(root), painter(process.stderr), painter(stream));
  print(process.stderr, harmless(report.problems));
  print(stream, harmless(report.summary));
  print(process.stderr, report.hint);
}

function wholeDefault(outcome: Outcome, root: string): string {
  const { problems, summary, hint } = defaultReport(outcome, linesUnder(root), PLAIN, PLAIN);
  return `${problems}${summary}${hint}`;
}

function summarize(outcome: Outcome): void {
  const file = process.env.GITHUB_STEP_SUMMARY ?? '';
  if (file === '' || appendSummary(file, `${markdown(outcome)}\n`)) return;
  process.stderr.write('fieldguide build: the job summary is full; the report was left out of it.\n');
}

function harmless(text: string): string {
  return inert(text, process.env);
}

function print(stream: NodeJS.WriteStream, text: string): void {
  if (text !== '') stream.write(text);
}
