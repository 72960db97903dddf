// `fieldguide audit verify <file>`: whether anything was edited, removed, swapped or cut, by line.

import { resolve } from 'node:path';
import { grouped } from '../../runtime/tokens.ts';
import type { Args } from '../args.ts';
import { checkAudit, type Finding } from '../audit/check-chains.ts';
import { printable } from '../terminal.ts';

export function auditVerify(args: Args): number {
  const [given] = args.positionals as [string];
  const checked = checkAudit(resolve(given));
  const ok = checked.problems.length === 0;
  if (args.flags.has('json')) {
    process.stdout.write(`${JSON.stringify({ ok, ...checked }, null, 2)}\n`);
    return ok ? 0 : 1;
  }
  for (const one of checked.problems) process.stderr.write(`${shown(one)}\n`);
  for (const one of checked.notes) process.stderr.write(`note: ${shown(one)}\n`);
  if (checked.more > 0) process.stderr.write(`… and ${grouped(checked.more)} more\n`);
  const what = `${counted(checked.lines, 'line', 'lines')} of ${counted(checked.writers, 'process', 'processes')}`;
  if (ok) process.stdout.write(`whole: ${what}\n`);
  else
    process.stderr.write(
      `fieldguide audit verify: the audit (${what}) was changed; compare it with a copy, and keep it as it is.\n`,
    );
  return ok ? 0 : 1;
}

function shown({ kind, line, writer, text }: Finding): string {
  const where = [
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(writer === undefined ? [] : [`process ${writer}`]),
  ].join(', ');
  return printable(`${kind}: ${where}${where === '' ? '' : ' '}${text}`);
}

function counted(count: number, one: string, many: string): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
