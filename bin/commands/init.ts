// `fieldguide init`: looks around in a repository and writes a first project.yaml, a first page of the guide, and
// what .gitignore lacks. It never overwrites anything, and writes all of it or nothing.

import { statSync } from 'node:fs';
import { PROJECT_FILE } from '../../build/project-file.ts';
import type { Args } from '../args.ts';
import { gitignoreAddition } from '../init/gitignore-lines.ts';
import { type Outline, outlineOf } from '../init/outline.ts';
import { projectText } from '../init/project-text.ts';
import { startPage } from '../init/start-page.ts';
import { Survey } from '../init/survey.ts';
import { type Planned, writeFiles } from '../init/write-files.ts';
import { painter, printable } from '../terminal.ts';
import { folderOf } from '../where.ts';

export async function init(args: Args): Promise<number> {
  const root = folderOf(args);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`there is no folder ${printable(root)}.`);
  const survey = new Survey(root);
  if (survey.isTaken(PROJECT_FILE)) {
    throw new Error(
      `there is a ${PROJECT_FILE} already, and it stays as it is. Edit it, then run \`fieldguide build\`.`,
    );
  }
  const found = await outlineOf(survey, { copiesUpstreams: args.flags.has('upstreams') });
  const outline = asksQuestions(args) ? await (await import('../init/init-questions.ts')).askAbout(found) : found;
  if (outline === 'interrupted' || outline === 'closed') {
    process.stderr.write('\nfieldguide init: nothing was written.\n');
    return outline === 'interrupted' ? 130 : 1;
  }
  const planned = planOf(survey, outline);
  for (const note of survey.notes) process.stderr.write(`fieldguide init: ${printable(note)}\n`);
  const isDry = args.flags.has('dry-run');
  if (!isDry) writeFiles(root, planned);
  if (args.flags.has('json'))
    process.stdout.write(`${JSON.stringify(outcome(outline, planned, survey.notes, isDry), null, 2)}\n`);
  else tell(outline, planned, isDry, args.values.get('root'));
  return 0;
}

function asksQuestions(args: Args): boolean {
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return isTerminal && !args.flags.has('yes') && !args.flags.has('json');
}

/** project.yaml comes last: while it is not there, `init` can be run again. */
function planOf(survey: Survey, outline: Outline): Planned[] {
  const { page, what } = outline.guide;
  const ignored = gitignoreAddition(survey);
  return [
    ...(what === 'write' ? [{ path: page, text: startPage(outline), how: 'create' as const }] : []),
    ...(ignored === undefined ? [] : [ignored]),
    { path: PROJECT_FILE, text: projectText(outline), how: 'create' },
  ];
}

function outcome(outline: Outline, planned: readonly Planned[], notes: readonly string[], isDry: boolean) {
  const { name, type, guide, modules } = outline;
  return {
    ok: true,
    dryRun: isDry,
    project: { name, type, modules: modules.map((one) => one.name) },
    files: planned.map(({ path, how, text }) => ({ path, how, ...(isDry ? { text } : {}) })),
    left: guide.what === 'leave' ? [guide.page] : [],
    notes,
  };
}

/** The text of a dry run is data; all else is said to a person. */
function tell({ guide, name, modules }: Outline, planned: readonly Planned[], isDry: boolean, root = '.'): void {
  const paint = painter(process.stderr);
  const counted =
    modules.length === 0 ? '' : modules.length === 1 ? ', with one module' : `, with ${modules.length} modules`;
  const about = new Map([
    [PROJECT_FILE, `${printable(name)}${counted}`],
    [guide.page, 'a first page of the guide'],
    ['.gitignore', 'so that bundles are not committed by accident'],
  ]);
  const lines = planned.map(({ path, how }) => {
    const [will, did] = how === 'create' ? ['would write', 'wrote'] : ['would add to', 'added to'];
    return `${isDry ? will : did} ${paint('bold', path)}: ${about.get(path)}`;
  });
  if (guide.what === 'leave') lines.push(`left ${paint('bold', guide.page)} as it is`);
  if (isDry) process.stdout.write(planned.find(({ path }) => path === PROJECT_FILE)?.text ?? '');
  const there = root === '.' ? '' : ` --root ${/^[\w./~-]+$/.test(root) ? root : JSON.stringify(printable(root))}`;
  const build = `fieldguide build${there}`;
  const connect = `fieldguide connect claude${there}`;
  const next = [
    '',
    'Next:',
    `  ${build.padEnd(connect.length)}  # compile it`,
    `  ${connect}  # and let your agent read it; or cursor, vscode, codex, …`,
  ];
  process.stderr.write(`${[...lines, ...(isDry ? [] : next)].join('\n')}\n`);
}
