// File names written by anybody: an annotation stays one command for one file, a table one table of text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import { concise } from '../../bin/reporters/concise.ts';
import { github } from '../../bin/reporters/github.ts';
import { inert } from '../../bin/reporters/inert.ts';
import { markdown } from '../../bin/reporters/markdown.ts';
import { HOSTILE_NAMES } from '../support/hostile-names.ts';
import { BROKEN_LINK, outcomeOf } from '../support/outcome.ts';

function named(file: string) {
  return outcomeOf([{ ...BROKEN_LINK, file, what: `${file} leads to no file.` }], { prefix: 'p:,%/' });
}

/** A line as GitHub's runner reads it; undefined when it is no command. */
function command(line: string): { name: string; properties: Map<string, string>; message: string } | undefined {
  const [, name = '', listed = '', message = ''] = /^\s*::(\S+)(?: (.*?))?::(.*)$/.exec(line) ?? [];
  if (name === '') return undefined;
  const text = (escaped: string): string =>
    escaped.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
  const properties = new Map(
    listed.split(',').map((property) => {
      const [key = '', ...value] = property.split('=');
      const unescaped = value.join('=').replaceAll('%3A', ':').replaceAll('%2C', ',');
      return [key, text(unescaped)];
    }),
  );
  return { name, properties, message: text(message) };
}

test('an annotation is one line, and the runner reads the name that was meant', () => {
  for (const file of HOSTILE_NAMES) {
    const lines = github(named(file)).trimEnd().split('\n');
    assert.equal(lines.length, 2, JSON.stringify(lines));
    const read = command(lines[0] as string);
    assert.equal(read?.name, 'warning');
    const steered = /[^\P{Cc}\r\n]|\u202e/gu;
    assert.equal(read?.properties.get('file'), `p:,%/${file}`.replace(steered, '\ufffd'));
    assert.deepEqual([...(read?.properties.keys() ?? [])], ['file', 'line', 'col', 'title']);
    assert.equal(read?.message, `${file} leads to no file.\nMend the path.`.replace(steered, '\ufffd'));
    assert.equal(command(lines[1] as string), undefined);
  }
});

test('what people read is no command for the runner of GitHub', () => {
  for (const file of HOSTILE_NAMES) {
    const text = concise(named(file));
    assert.equal(text.split('\n').length, 2, 'one line');
    const shown = inert(text, { GITHUB_ACTIONS: 'true' });
    assert.equal(command(shown.split('\n')[0] as string), undefined, shown);
    assert.ok(!shown.includes('##['));
    assert.equal(inert(text, {}), text, 'elsewhere it stays as it is');
  }
  assert.equal(inert('a\n  ::add-mask::x\n', { GITHUB_ACTIONS: 'true' }), 'a\n  : :add-mask::x\n');
});

test('a table of markdown keeps its cells, and holds no markup of others', () => {
  for (const file of HOSTILE_NAMES) {
    const html = micromark(markdown({ ...named(file), bundle: undefined }), {
      extensions: [gfmTable()],
      htmlExtensions: [gfmTableHtml()],
      allowDangerousHtml: true,
    });
    assert.equal(html.match(/<tr>/g)?.length, 2, html);
    assert.equal(html.match(/<td>/g)?.length, 4, html);
    const tags = new Set([...html.matchAll(/<\/?([a-z!-][a-z0-9-]*)/gi)].map(([, tag]) => tag));
    assert.deepEqual([...tags].sort(), ['code', 'h2', 'table', 'tbody', 'td', 'th', 'thead', 'tr'], html);
    const prose = html.replace(/<code>[^<]*<\/code>/g, '');
    assert.doesNotMatch(prose, /@\w|#\d/, 'nobody is called');
  }
});
