// Each reporter as a function: an outcome in, a text out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesUnder } from '../../bin/diagnostics.ts';
import { type Outcome, summaryLine } from '../../bin/outcome.ts';
import { concise } from '../../bin/reporters/concise.ts';
import { defaultReport } from '../../bin/reporters/default.ts';
import { github } from '../../bin/reporters/github.ts';
import { gitlab } from '../../bin/reporters/gitlab.ts';
import { json } from '../../bin/reporters/json.ts';
import { markdown } from '../../bin/reporters/markdown.ts';
import { sarif } from '../../bin/reporters/sarif.ts';
import { Diagnostics } from '../../build/diagnostics.ts';
import { BROKEN_LINK, found, outcomeOf, UNKNOWN_KEY } from '../support/outcome.ts';

const BOTH = outcomeOf([BROKEN_LINK, UNKNOWN_KEY], { prefix: 'apps/shop/' });
const CLEAN = outcomeOf([]);

function plain(outcome: Outcome, lines: readonly string[] = []) {
  return defaultReport(
    outcome,
    () => lines,
    (_, text) => text,
    (_, text) => text,
  );
}

test('the summary counts errors, warnings and documents, one and many', () => {
  const one = { ...BOTH, documents: 1, durationMs: 49 };
  assert.equal(summaryLine(one), '1 error, 1 warning in 1 document (0.0 s)');
  assert.equal(
    summaryLine({ ...BOTH, errors: 3, warnings: 1500 }),
    '3 errors, 1,500 warnings in 2,140 documents (0.8 s)',
  );
  assert.equal(summaryLine(CLEAN), 'No problems in 2,140 documents (0.8 s)');
  assert.equal(summaryLine({ ...CLEAN, documents: 0, warnings: 2 }), '2 warnings (0.8 s)');
});

test('default: the place, the line with a caret, why, what to do; then the sum and the facts', () => {
  const { problems, summary, hint } = plain(outcomeOf([BROKEN_LINK]), ['', '', '[b](gone.md)']);
  assert.equal(
    problems,
    `docs/a.md:3:5 warning link-broken: gone.md leads to no file.
    [b](gone.md)
        ^
  An agent that follows the link finds nothing.
  help: Mend the path.

`,
  );
  assert.equal(
    summary,
    `1 warning in 2,140 documents (0.8 s)
project    Shop
modules    3
documents  2140
resources  7
prompts    2
bundle     dist-index/context.fgb, 2.0 KB
digest     sha256:0123
`,
  );
  assert.equal(
    hint,
    'Each code is explained at https://github.com/fieldguide/fieldguide/blob/main/content/manual/problems.md\n--strict makes warnings fail.\n',
  );
});

test('default: a failure says that nothing was written, and whether --strict is why', () => {
  const sum = '1 error, 1 warning in 2,140 documents (0.8 s)';
  assert.equal(plain(BOTH).summary, `fieldguide build: ${sum}; nothing was written.\n`);
  assert.equal(plain({ ...BOTH, isCheck: true }).summary, `fieldguide build --check: ${sum}.\n`);
  const strict = outcomeOf([BROKEN_LINK], { ok: false, isStrict: true, bundle: undefined });
  assert.match(plain(strict).summary, /1 warning in .*, and --strict; nothing was written\.\n$/);
  assert.doesNotMatch(plain(strict).hint, /--strict/);
  assert.equal(plain(CLEAN).hint, '');
});

test('default: a line with a secret is not shown, whatever else is wrong with it', () => {
  const secret = found('secret-probable', 'docs/a.md', 3, 1, 'It has what looks like a token.', 'Remove it.');
  const { problems } = plain(outcomeOf([secret, BROKEN_LINK]), ['', '', 'TOKEN [b](gone.md)']);
  assert.doesNotMatch(problems, /TOKEN/);
  assert.deepEqual(linesUnder('/nowhere')('docs/a.md'), []);
});

test('concise: one line for each problem, and nothing else', () => {
  assert.equal(
    concise(BOTH),
    `docs/a.md:3:5: warning link-broken: gone.md leads to no file.
project.yaml:2:1: error key-unknown: The key "tehc" is unknown.
`,
  );
  assert.equal(concise(CLEAN), '');
});

test('github: errors first, with their place in the repository, and the sum', () => {
  assert.equal(
    github(BOTH),
    `::error file=apps/shop/project.yaml,line=2,col=1,title=key-unknown::The key "tehc" is unknown.%0ADid you mean "tech"?
::warning file=apps/shop/docs/a.md,line=3,col=5,title=link-broken::gone.md leads to no file.%0AMend the path.
1 error, 1 warning in 2,140 documents (0.8 s)
`,
  );
});

test('github: at most ten of each level, and the rest counted', () => {
  const all = new Diagnostics();
  for (let line = 1; line <= 70; line++) all.report({ ...BROKEN_LINK, line });
  for (let line = 1; line <= 11; line++) all.report({ ...UNKNOWN_KEY, line });
  const lines = github(outcomeOf(all.sorted(), all.totals)).split('\n');
  assert.equal(lines.filter((line) => line.startsWith('::error ')).length, 10);
  assert.equal(lines.filter((line) => line.startsWith('::warning ')).length, 10);
  assert.equal(lines[10], 'and 1 more error');
  assert.deepEqual(lines.slice(21), ['and 60 more warnings', '11 errors, 70 warnings in 2,140 documents (0.8 s)', '']);
});

test('gitlab: findings whose fingerprints hold no line and are never equal', () => {
  const [first] = JSON.parse(gitlab(BOTH));
  assert.deepEqual(
    { ...first, fingerprint: '' },
    {
      description: 'gone.md leads to no file. Mend the path.',
      check_name: 'link-broken',
      fingerprint: '',
      severity: 'minor',
      location: { path: 'apps/shop/docs/a.md', lines: { begin: 3 } },
    },
  );
  assert.equal(JSON.parse(gitlab(BOTH))[1].severity, 'major');
  const marks = (outcome: Outcome): string[] =>
    JSON.parse(gitlab(outcome)).map(({ fingerprint }: { fingerprint: string }) => fingerprint);
  const at = (line: number, what = BROKEN_LINK.what) => ({ ...BROKEN_LINK, line, what });
  const before = marks(outcomeOf([at(3), at(4), at(5, 'b2.md leads to no file.'), at(6, 'b3.md leads to no file.')]));
  const after = marks(
    outcomeOf([at(13), at(14), at(15, 'b2.md leads to no file.'), at(16, 'b3.md leads to no file.')]),
  );
  assert.deepEqual(before, after);
  assert.equal(new Set(before).size, 4);
  const [moved] = marks(outcomeOf([at(1, 'It is on line 17, too (of 30).')]));
  assert.deepEqual(marks(outcomeOf([at(9, 'It is on line 18, too (of 31).')])), [moved]);
  assert.equal(gitlab(CLEAN), '[]\n');
});

test('sarif: a rule for each code, a result for each problem, errors first', () => {
  const { version, runs } = JSON.parse(sarif(BOTH));
  const [{ tool, results, columnKind }] = runs;
  assert.deepEqual([version, runs.length, columnKind], ['2.1.0', 1, 'utf16CodeUnits']);
  assert.deepEqual(
    tool.driver.rules.map(({ id }: { id: string }) => id),
    ['key-unknown', 'link-broken'],
  );
  const [error, warning] = results;
  assert.deepEqual([error.ruleId, error.ruleIndex, error.level], ['key-unknown', 0, 'error']);
  assert.deepEqual([warning.ruleId, warning.ruleIndex, warning.level], ['link-broken', 1, 'warning']);
  assert.deepEqual(warning.locations[0].physicalLocation, {
    artifactLocation: { uri: 'apps/shop/docs/a.md', uriBaseId: '%SRCROOT%' },
    region: { startLine: 3, startColumn: 5 },
  });
});

test('sarif: at most five thousand results, and no error is among those left out', () => {
  const many = Array.from({ length: 6000 }, (_, n) => ({ ...BROKEN_LINK, line: n + 1 }));
  const { results } = JSON.parse(sarif(outcomeOf([...many, UNKNOWN_KEY]))).runs[0];
  assert.equal(results.length, 5000);
  assert.equal(results[0].ruleId, 'key-unknown');
});

test('markdown: the sum, a table of problems, the facts of the bundle', () => {
  assert.equal(
    markdown(outcomeOf([BROKEN_LINK], { check: { state: 'fresh', changes: undefined } })),
    `## Fieldguide: 1 warning in 2,140 documents (0.8 s)

| severity | place | code | problem |
| --- | --- | --- | --- |
| warning | \`docs/a.md:3:5\` | \`link-broken\` | gone.md leads to no file. Mend the path. |

| bundle |  |
| --- | --- |
| project | Shop |
| bundle on disk | fresh |
| digest | \`sha256:0123\` |
| size | 2.0 KB |
| documents | 2,140 |
| resources | 7 |
| tokens | ≈123,456 |
`,
  );
});

test('markdown fits a comment however much is wrong', () => {
  const many = Array.from({ length: 6000 }, (_, n) => ({ ...BROKEN_LINK, line: n + 1, what: '|'.repeat(5000) }));
  const text = markdown(outcomeOf(many));
  assert.ok(text.length < 65_536, String(text.length));
  assert.match(text, /\nand 5,9\d\d more problems\n/);
});

test('json: the outcome with its counts; what is not known is not there', () => {
  const data = JSON.parse(json(BOTH));
  assert.deepEqual(Object.keys(data), ['ok', 'errors', 'warnings', 'documents', 'durationMs', 'diagnostics']);
  assert.deepEqual([data.ok, data.errors, data.warnings, data.durationMs], [false, 1, 1, 812]);
  const changes = { added: ['a.md'], removed: [], changed: [] };
  const checked = JSON.parse(json(outcomeOf([], { check: { state: 'stale', changes } })));
  assert.deepEqual([checked.check, checked.changes], ['stale', changes]);
  assert.equal(checked.bundle.tokens, 123456);
});
