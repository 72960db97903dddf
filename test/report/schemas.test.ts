// SARIF and GitLab's reports are what their schemas say.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { gitlab } from '../../bin/reporters/gitlab.ts';
import { sarif } from '../../bin/reporters/sarif.ts';
import { CODES } from '../../build/diagnostics.ts';
import { HOSTILE_NAMES } from '../support/hostile-names.ts';
import { BROKEN_LINK, found, outcomeOf } from '../support/outcome.ts';

/** The schema of SARIF is of draft 4; but for its own name, it means the same today. */
function validator(name: string) {
  const file = join(import.meta.dirname, '../fixtures/schemas', name);
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(file, 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

const OUTCOMES = {
  nothing: outcomeOf([]),
  everyCode: outcomeOf(
    CODES.map((code, n) => found(code, `docs/${code}.md`, n + 1, 1, `What ${code} says.`, 'Mend it.')),
  ),
  hostile: outcomeOf(
    HOSTILE_NAMES.map((file) => ({ ...BROKEN_LINK, file, what: `${file} leads to no file.` })),
    { prefix: 'a b/ü%/' },
  ),
};

test('sarif is valid by the schema of OASIS, whatever was found', () => {
  const valid = validator('sarif-2.1.0.json');
  for (const [name, outcome] of Object.entries(OUTCOMES)) {
    assert.ok(valid(JSON.parse(sarif(outcome))), `${name}: ${JSON.stringify(valid.errors?.slice(0, 3))}`);
  }
  const wrong = JSON.parse(sarif(OUTCOMES.everyCode));
  wrong.runs[0].results[0].level = 'bad';
  assert.equal(valid(wrong), false, 'the schema refuses what is wrong');
  wrong.runs[0].results[0].level = 'error';
  wrong.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri = 'a b.md';
  assert.equal(valid(wrong), false, 'and looks at formats');
});

test('a path of sarif is a relative URI from which the name can be had back', () => {
  const { results } = JSON.parse(sarif(OUTCOMES.hostile)).runs[0];
  for (const [n, name] of HOSTILE_NAMES.entries()) {
    const { uri } = results[n].locations[0].physicalLocation.artifactLocation;
    assert.ok(new URL(uri, 'file:///repo/').href.startsWith('file:///repo/a%20b/%C3%BC%25/'), uri);
    assert.equal(decodeURIComponent(uri), `a b/ü%/${name}`);
  }
});

test('gitlab is valid by the documented format, and no fingerprint comes twice', () => {
  const valid = validator('gitlab-code-quality.documented.json');
  for (const [name, outcome] of Object.entries(OUTCOMES)) {
    const findings: { fingerprint: string }[] = JSON.parse(gitlab(outcome));
    assert.ok(valid(findings) as boolean, `${name}: ${JSON.stringify(valid.errors?.slice(0, 3))}`);
    const marks = findings.map(({ fingerprint }) => fingerprint);
    assert.equal(new Set(marks).size, outcome.diagnostics.length);
  }
  const [one] = JSON.parse(gitlab(OUTCOMES.everyCode));
  assert.equal(valid([{ ...one, severity: 'error' }]), false, 'the schema refuses what is wrong');
});
