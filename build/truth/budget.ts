// Texts that cost more tokens than project.yaml allows. Without a budget nothing is said: how much is too much
// depends on the agents that read it, and only their people know.

import { estimateTokens } from '../../runtime/tokens.ts';
import { type Place, problem, type Report } from '../diagnostics.ts';
import type { GuideConfig } from '../guide-config.ts';
import type { Guide } from '../resolve.ts';
import { show } from '../yaml.ts';

export type Allowed = { tokens: number; place: Place };
export type Budget = { document?: Allowed; collection?: Allowed; bundle?: Allowed };

type Budgeted = { budget?: Budget; guide: Pick<GuideConfig, 'collections'> };

/** `texts` are all of the bundle, each once. */
export function checkBudget(
  { budget = {}, guide: { collections } }: Budgeted,
  guide: Guide,
  texts: readonly { text: string }[],
  report: Report,
): void {
  const { document, collection, bundle } = budget;
  const check = (tokens: number, allowed: Allowed, place: Place, who: string, fix: string): void => {
    if (tokens <= allowed.tokens) return;
    const over = `${count(tokens - allowed.tokens)} over the budget of ${count(allowed.tokens)}`;
    report(problem('budget-over', place, `${who} ≈${count(tokens)} tokens, ${over}.`, fix));
  };
  if (document !== undefined) {
    for (const { source, served } of guide.categories.flatMap(({ documents }) => documents)) {
      const place = { file: source, line: 1, column: 1 };
      check(tokensOf(served.text), document, place, 'It has', 'Split it, or raise budget.document.');
    }
  }
  if (collection !== undefined) {
    for (const { id, documents } of guide.collections) {
      const tokens = documents.reduce((sum, { served }) => sum + tokensOf(served.text), 0);
      const place = collections.find((one) => one.id === id)?.place ?? collection.place;
      const fix = 'Take documents out, or raise budget.collection.';
      check(tokens, collection, place, `The collection ${show(id)} has`, fix);
    }
  }
  if (bundle !== undefined) {
    const tokens = estimateTokens(texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0));
    check(tokens, bundle, bundle.place, 'All texts together have', 'Serve less, or raise budget.bundle.');
  }
}

function tokensOf(text: string): number {
  return estimateTokens(Buffer.byteLength(text));
}

function count(number: number): string {
  return number.toLocaleString('en');
}
