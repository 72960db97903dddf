// What an agent would notice between two bundles, as data: what `--json` prints and the reports are made from.

import { estimateTokens } from '../../runtime/tokens.ts';
import type { SectionChanges } from './sections.ts';

export type Measure = { before: number; after: number; delta: number };
export type Weight = { bytes: Measure; tokens: Measure };

export type Kind = 'added' | 'removed' | 'moved' | 'changed';

export type ResourceChange = Weight & {
  uri: string;
  change: Kind;
  /** Where a moved text was. */
  from?: string;
  title?: string;
  /** What changed beside the text: title, description, pages, … */
  fields: string[];
  sections?: SectionChanges;
};

/** A category or collection; of its documents, those that came and went. */
export type GroupChange = {
  uri: string;
  change: Kind;
  fields: string[];
  documents: Measure;
  added: string[];
  removed: string[];
};

export type PromptChange = Weight & {
  name: string;
  change: Kind;
  fields: string[];
  arguments: { added: string[]; removed: string[]; changed: string[] };
};

export type Difference = {
  /** Byte for byte the same bundle. */
  identical: boolean;
  noticed: boolean;
  old: Identity | null;
  new: Identity;
  totals: Weight & { resources: Measure; documents: Measure; prompts: Measure };
  resources: ResourceChange[];
  groups: GroupChange[];
  prompts: PromptChange[];
  instructions: Weight | null;
  project: { before: string; after: string } | null;
  /** Pages about one file, `context://for/{path}`, and globs of documents, `appliesTo`, that say something else. */
  filesInHand: string[];
  /** Sentences about what has no place above. */
  notes: string[];
  /** What differs, and no agent sees. */
  unseen: string[];
};

export type Identity = { digest: string; project: string | null; tool: string | null };

export function measure(before: number, after: number): Measure {
  return { before, after, delta: after - before };
}

export function weigh(before: number, after: number): Weight {
  return { bytes: measure(before, after), tokens: measure(estimateTokens(before), estimateTokens(after)) };
}

const ORDER: readonly Kind[] = ['removed', 'added', 'moved', 'changed'];

/** What went and came before what changed, the largest first, then by the bytes of their URIs. */
export function inOrder(a: ResourceChange, b: ResourceChange): number {
  const kind = ORDER.indexOf(a.change) - ORDER.indexOf(b.change);
  const size = Math.abs(b.bytes.delta) - Math.abs(a.bytes.delta);
  return kind || size || Buffer.compare(Buffer.from(a.uri), Buffer.from(b.uri));
}
