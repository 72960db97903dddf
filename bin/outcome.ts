// How a build went, as data: the one thing behind every reporter, and the sentence that sums it up.

import type { Diagnostic } from '../build/diagnostics.ts';
import { grouped } from '../runtime/tokens.ts';

export type Outcome = {
  ok: boolean;
  /** By place; of one kind at most fifty, and then one that counts the rest. */
  diagnostics: readonly Diagnostic[];
  /** Of all problems, shown or not. */
  errors: number;
  warnings: number;
  /** Documents of the guide that were read. */
  documents: number;
  durationMs: number;
  isStrict: boolean;
  isCheck: boolean;
  /** What the sources make; undefined when they make nothing, or what they make was not published. */
  bundle: BundleFacts | undefined;
  /** With --check, and when the sources make something. */
  check: Check | undefined;
  /** The root inside its repository, `apps/shop/` or empty: CI systems name files from the repository. */
  prefix: string;
};

export type BundleFacts = {
  name: string;
  /** From the current folder. */
  file: string;
  digest: string;
  bytes: number;
  resources: number;
  modules: number;
  documents: number;
  prompts: number;
  /** What reading every resource once would cost, roughly. */
  tokens: number;
  /** It is not what lay there before. */
  changed: boolean;
  written: boolean;
};

export type Check = { state: 'fresh' | 'stale' | 'missing'; changes: Changes | undefined };

/** How the inputs differ from those in the manifest: paths from the root, by their bytes. */
export type Changes = { added: string[]; removed: string[]; changed: string[] };

/** `3 errors, 5 warnings in 214 documents (0.8 s)` */
export function summaryLine(outcome: Outcome): string {
  const { errors, warnings, documents, durationMs } = outcome;
  const problems = [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  const among = documents > 0 ? ` in ${counted(documents, 'document')}` : '';
  return `${problems.join(', ') || 'No problems'}${among} (${(durationMs / 1000).toFixed(1)} s)`;
}

/** `1 error`, `2,000 errors` */
export function counted(count: number, one: string): string {
  return `${grouped(count)} ${one}${count === 1 ? '' : 's'}`;
}

/** A flood is told by the totals; here are the problems themselves, errors first, else by place. */
export function errorsFirst({ diagnostics }: Outcome): Diagnostic[] {
  const single = diagnostics.filter(({ code }) => code !== 'more-problems');
  return [
    ...single.filter(({ severity }) => severity === 'error'),
    ...single.filter(({ severity }) => severity !== 'error'),
  ];
}
