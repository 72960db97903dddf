// SARIF 2.1.0, for code scanning: one run, a rule for each code that was found, a result for each problem.

import type { Code, Diagnostic } from '../../build/diagnostics.ts';
import { VERSION } from '../../runtime/version.ts';
import type { Outcome } from '../outcome.ts';
import { fingerprints } from './fingerprint.ts';

/** GitHub keeps that many of a run. */
const MOST_RESULTS = 5000;

export function sarif(outcome: Outcome): string {
  const marks = fingerprints(outcome);
  const found = outcome.diagnostics.map((diagnostic, n) => ({ diagnostic, mark: marks[n] as string }));
  const kept = [
    ...found.filter(({ diagnostic }) => diagnostic.severity === 'error'),
    ...found.filter(({ diagnostic }) => diagnostic.severity !== 'error'),
  ].slice(0, MOST_RESULTS);
  const codes = [...new Set(kept.map(({ diagnostic }) => diagnostic.code))].sort();
  const run = {
    tool: { driver: { name: 'Fieldguide', version: VERSION, rules: codes.map((code) => rule(code, outcome)) } },
    columnKind: 'utf16CodeUnits',
    results: kept.map(({ diagnostic, mark }) => result(diagnostic, codes.indexOf(diagnostic.code), mark, outcome)),
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function rule(id: Code, { diagnostics }: Outcome): Record<string, unknown> {
  const { why, severity } = diagnostics.find(({ code }) => code === id) as Diagnostic;
  return {
    id,
    shortDescription: { text: why },
    fullDescription: { text: why },
    help: { text: `${why} Every code is explained in Fieldguide's manual, content/manual/problems.md.` },
    defaultConfiguration: { level: severity },
  };
}

function result({ file, line, column, ...about }: Diagnostic, ruleIndex: number, mark: string, { prefix }: Outcome) {
  return {
    ruleId: about.code,
    ruleIndex,
    level: about.severity,
    message: { text: `${about.what} ${about.fix}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: relativeUri(prefix + file), uriBaseId: '%SRCROOT%' },
          region: { startLine: line, startColumn: column },
        },
      },
    ],
    partialFingerprints: { 'fieldguideProblem/v1': mark },
  };
}

function relativeUri(path: string): string {
  const wellFormed = Buffer.from(path).toString();
  return wellFormed.split('/').map(encodeURIComponent).join('/');
}
