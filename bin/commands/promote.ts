// `fieldguide session promote`: takes accepted discoveries over into project.yaml, where they are reviewed and kept
// like everything else that stands there. A person chooses; the file is only ever added to.

import { PROJECT_FILE } from '../../build/project-file.ts';
import { recordable } from '../../runtime/sessions/recordable.ts';
import { type Discovery, isStoreError } from '../../runtime/sessions/store.ts';
import { counted, shortId } from '../../runtime/sessions/words.ts';
import { type Args, UsageError } from '../args.ts';
import { canAsk, confirm, yesOrNo } from '../confirm.ts';
import { writeConfig } from '../connect/config-file.ts';
import { diagnosticsText, linesUnder } from '../diagnostics.ts';
import { asLine, discoveryData, discoveryLines } from '../discovery-shown.ts';
import { paintDiff, unifiedDiff } from '../line-diff.ts';
import { type Edit, editProject, readProjectFile } from '../promote/project-edit.ts';
import { type Fate, LISTS } from '../promote/sort-out.ts';
import { inTurn } from '../promote/turn.ts';
import { type Sessions, withSessions } from '../session-store.ts';
import { painter, printable } from '../terminal.ts';

const NEEDED = 'name discoveries, or --all, and add --yes; or run it on a terminal. Nothing was written';

export async function promote(args: Args): Promise<number> {
  const isDry = args.flags.has('dry-run');
  const isNamed = args.positionals.length > 0 || args.flags.has('all');
  if (args.positionals.length > 0 && args.flags.has('all'))
    throw new UsageError('name discoveries, or --all, not both');
  return await withSessions(args, async (sessions) => {
    const module = args.values.get('module');
    const to = module === undefined ? undefined : recordable('module', module);
    const waiting = (await sessions.store.discoveries()).filter(({ promotedAt }) => promotedAt === undefined);
    let chosen = args.positionals.length > 0 ? await named(args.positionals, sessions) : waiting;
    if (!isNamed && chosen.length > 0) {
      if (!isDry && (args.flags.has('yes') || !canAsk())) return undecided(args, waiting);
      if (!isDry) chosen = await asked(waiting, to);
    }
    if (chosen.length === 0) return nothing(args, waiting.length > 0);
    const trial = editProject(sessions.root, chosen, to);
    if (trial.diagnostics !== undefined) return faulty(trial, sessions.root);
    if (isDry) return shownOnly(args, trial);
    if (isNamed && !args.flags.has('yes') && !(await isAgreed(trial))) {
      process.stderr.write('Nothing was written.\n');
      return 1;
    }
    const edit = await inTurn(sessions.root, () => carriedOut(sessions, chosen, to));
    if (edit.diagnostics !== undefined) return faulty(edit, sessions.root);
    report(args, edit.fates);
    const wasLeft = edit.fates.some(({ is }) => is === 'left');
    return wasLeft && args.positionals.length > 0 ? 1 : 0;
  });
}

/** By their ids, or by how those begin. */
async function named(ids: readonly string[], { store }: Sessions): Promise<Discovery[]> {
  const all = await store.discoveries();
  const found = ids.map((id) => {
    const exact = all.filter((one) => one.id === id);
    const matching = exact.length > 0 ? exact : all.filter((one) => one.id.startsWith(id));
    const [only, ...others] = matching;
    const asked = JSON.stringify(asLine(id));
    if (only === undefined) {
      throw new Error(
        `no discovery has an id that begins with ${asked}; \`fieldguide session discoveries\` shows them`,
      );
    }
    if (others.length > 0)
      throw new Error(`${matching.length} discoveries have an id that begins with ${asked}; write more of it`);
    return only;
  });
  const before = found.filter(({ promotedAt }) => promotedAt !== undefined);
  for (const { id } of before) process.stderr.write(`${asLine(shortId(id))} was promoted before.\n`);
  return [...new Set(found)].filter(({ promotedAt }) => promotedAt === undefined);
}

async function asked(waiting: readonly Discovery[], module: string | undefined): Promise<Discovery[]> {
  const chosen: Discovery[] = [];
  for (const discovery of waiting) {
    process.stderr.write(`${discoveryLines(discovery, painter(process.stderr)).join('\n')}\n`);
    const to = discovery.module ?? module;
    if (to === undefined) {
      process.stderr.write('It names no module, so it is left: --module <name> says which.\n');
      continue;
    }
    const answer = await yesOrNo(`Promote it to modules.${asLine(to)}.${LISTS[discovery.type]}?`);
    if (answer === undefined) throw new Error('stopped; nothing was written');
    if (answer) chosen.push(discovery);
  }
  return chosen;
}

async function isAgreed(edit: Edit): Promise<boolean> {
  if (edit.before === edit.after) return true;
  if (!canAsk()) throw new Error('it changes what others read, so it needs a yes: add --yes. Nothing was written');
  const diff = printable(diffOf(edit).replaceAll('\r\n', '\n'));
  process.stderr.write(paintDiff(diff, painter(process.stderr)));
  return await confirm(`Write this into ${PROJECT_FILE}?`);
}

/** Read again, because another process may have been at work in the meantime. */
async function carriedOut(
  { root, store }: Sessions,
  chosen: readonly Discovery[],
  module: string | undefined,
): Promise<Edit> {
  const ids = new Set(chosen.map(({ id }) => id));
  const still = (await store.discoveries()).filter((one) => ids.has(one.id) && one.promotedAt === undefined);
  const edit = editProject(root, still, module);
  if (edit.before !== edit.after) {
    if (readProjectFile(root).text !== edit.before) {
      throw new Error(`${PROJECT_FILE} was changed at this moment; nothing was written, try again`);
    }
    writeConfig(edit.file, edit.after);
  }
  const done = edit.fates.filter(({ is }) => is !== 'left').map(({ discovery }) => discovery.id);
  try {
    await store.promoted(done, Date.now());
  } catch (error) {
    if (!isStoreError(error)) throw error;
    throw new Error(`${PROJECT_FILE} was written, but that could not be noted (${error.message}); run it again later`);
  }
  return edit;
}

function faulty({ diagnostics }: Edit, root: string): number {
  const found = diagnostics?.sorted() ?? [];
  process.stderr.write(diagnosticsText(found, linesUnder(root), painter(process.stderr)));
  const errors = counted(diagnostics?.totals.errors ?? 0, 'error');
  process.stderr.write(`fieldguide session promote: ${errors} in ${PROJECT_FILE}; nothing was written.\n`);
  return 1;
}

function nothing(args: Args, wereThere: boolean): number {
  if (args.flags.has('json')) printData({ file: PROJECT_FILE, ...outcome([]) });
  else process.stderr.write(wereThere ? 'Nothing was chosen.\n' : 'Every accepted discovery was promoted already.\n');
  return 0;
}

function shownOnly(args: Args, edit: Edit): number {
  if (args.flags.has('json')) {
    printData({ file: PROJECT_FILE, dryRun: true, ...outcome(edit.fates), diff: diffOf(edit) });
    return 0;
  }
  sayOthers(edit.fates);
  const diff = diffOf(edit);
  if (diff === '') process.stderr.write(`${PROJECT_FILE} would not change.\n`);
  const text = process.stdout.isTTY ? printable(diff.replaceAll('\r\n', '\n')) : diff;
  process.stdout.write(paintDiff(text, painter(process.stdout)));
  return 0;
}

function report(args: Args, fates: readonly Fate[]): void {
  if (args.flags.has('json')) return printData({ file: PROJECT_FILE, dryRun: false, ...outcome(fates) });
  const added = fates.filter((fate) => fate.is === 'added');
  for (const { discovery, module, list } of added) {
    process.stdout.write(
      `${asLine(shortId(discovery.id))}  modules.${asLine(module)}.${list}  ${asLine(discovery.content)}\n`,
    );
  }
  sayOthers(fates);
  if (added.length === 0) return;
  const what = added.length === 1 ? '1 discovery' : `${added.length} discoveries`;
  process.stderr.write(`Added ${what} to ${PROJECT_FILE}; the next \`fieldguide build\` takes them up.\n`);
}

function sayOthers(fates: readonly Fate[]): void {
  for (const fate of fates) {
    const id = asLine(shortId(fate.discovery.id));
    if (fate.is === 'held') process.stderr.write(`${id} stands in modules.${asLine(fate.module)} already.\n`);
    if (fate.is === 'left') process.stderr.write(`${id} was left: ${asLine(fate.why)}\n`);
  }
}

function outcome(fates: readonly Fate[]): Record<string, unknown> {
  const promoted = fates.filter((fate) => fate.is === 'added');
  const held = fates.filter((fate) => fate.is === 'held');
  const left = fates.filter((fate) => fate.is === 'left');
  return {
    promoted: promoted.map(({ discovery, module, list }) => ({
      id: discovery.id,
      module,
      list,
      content: discovery.content,
    })),
    held: held.map(({ discovery, module }) => ({ id: discovery.id, module })),
    left: left.map(({ discovery, why }) => ({ id: discovery.id, why })),
  };
}

/** Shows what there is to choose from. */
function undecided(args: Args, waiting: readonly Discovery[]): never {
  if (args.flags.has('json')) printData({ waiting: waiting.map(discoveryData) });
  else for (const one of waiting) process.stdout.write(`${discoveryLines(one, painter(process.stdout)).join('\n')}\n`);
  throw new Error(NEEDED);
}

function diffOf({ before, after }: Edit): string {
  return unifiedDiff(before, after, PROJECT_FILE);
}

function printData(value: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
