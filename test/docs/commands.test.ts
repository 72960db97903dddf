// The manual's page of commands is made from the table of commands; UPDATE=1 writes it anew.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allCommands } from '../../bin/cli.ts';
import { optionName } from '../../bin/help.ts';
import { SERVE } from '../../bin/table/serve.ts';

const PAGE = join(import.meta.dirname, '../../content/manual/commands.md');

function page(): string {
  const commands = allCommands(SERVE)
    .flatMap((one) => ('commands' in one ? one.commands : one))
    .flatMap(({ name, summary, takes, options, examples }) => [
      `## ${name}`,
      '',
      `${summary.charAt(0).toUpperCase()}${summary.slice(1)}: \`${['fieldguide', name, takes?.written].filter(Boolean).join(' ')}\`.`,
      '',
      ...examples.map(({ line, does }) => `- \`${line}\`: ${does}`),
      ...(options.length === 0 ? [] : ['', '| option | |', '| --- | --- |']),
      ...options.map(
        (option) => `| \`${optionName(option).replaceAll('|', '\\|')}\` | ${option.about.replaceAll('|', '\\|')} |`,
      ),
      '',
    ]);
  return [
    '---',
    'title: Commands',
    'description: Every command with its options and examples',
    '---',
    '# Commands',
    '',
    'Every command has `--help`, and `--debug`, which shows the stack when something fails. Exit codes: 0 when it went',
    'well, 1 for a problem of content or of the machine, 2 for wrong usage. Data goes to stdout, everything for people to',
    'stderr; colours only to a terminal, and not with `NO_COLOR`.',
    '',
    ...commands,
  ].join('\n');
}

test('the manual’s page of commands is the table of commands', () => {
  if (process.env.UPDATE === '1') writeFileSync(PAGE, page());
  assert.equal(readFileSync(PAGE, 'utf8'), page());
});
