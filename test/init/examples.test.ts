// A newcomer learns the format from what `init` writes: every example in a comment must be right.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Diagnostics } from '../../build/diagnostics.ts';
import { project } from '../../build/project.ts';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

/** Keys that stand in a comment with their lines below, each as YAML of its own. */
function examples(text: string): Map<string, string> {
  const found = new Map<string, string>();
  let key: string | undefined;
  for (const line of text.split('\n')) {
    const [, name] = /^# ([a-z]+):(?= |$)(?! fieldguide| web)/i.exec(line) ?? [];
    const isMore = key !== undefined && /^# {3}/.test(line);
    if (name !== undefined && /^[a-z]/.test(name)) key = name;
    else if (!isMore) key = undefined;
    if (key !== undefined) found.set(key, `${found.get(key) ?? ''}${line.slice(2)}\n`);
  }
  return found;
}

test('every example is valid where it stands, uncommented', (t) => {
  const text = run(['init', '--dry-run', '--root', temporaryFolder(t)]).stdout;
  const known = Object.keys(JSON.parse(run(['schema']).stdout).properties);
  const shown = examples(text);
  for (const key of ['tech', 'architecture', 'modules', 'files', 'prompts', 'budget', 'ignore'])
    assert.ok(shown.has(key), key);
  for (const [key, source] of shown) {
    if (key === 'budget' && !known.includes(key)) continue;
    const diagnostics = new Diagnostics();
    project(`version: "1.0"\nproject: { name: x }\n${source}`, diagnostics.report);
    assert.deepEqual(diagnostics.sorted(), [], source);
  }
  for (const key of ['patterns', 'businessRules', 'commonIssues', 'dependencies'])
    assert.ok(shown.get('modules')?.includes(`${key}:`));
});

test('the examples inside of project and guide are valid, too', (t) => {
  const text = run(['init', '--dry-run', '--root', temporaryFolder(t)]).stdout;
  const uncommented = text.replace(/^ {2}# ?((?:type|description|categories|collections| {2}).*)$/gm, '  $1');
  assert.notEqual(uncommented, text);
  const diagnostics = new Diagnostics();
  const read = project(uncommented, diagnostics.report);
  assert.deepEqual(diagnostics.sorted(), []);
  assert.deepEqual([read?.type, read?.guide.collections[0]?.id], ['library', 'onboarding']);
});
