// What stands in the journal of discoveries.

import type { Record } from './record.ts';
import { DISCOVERY_TYPES, type Discovery } from './store.ts';

export type DiscoveryRecord = { k: 'discovered'; t: number } & Omit<Discovery, 'at' | 'promotedAt'>;
export type PromotedRecord = { k: 'promoted'; t: number; ids: readonly string[] };

export function isPromoted(record: Record): record is PromotedRecord {
  const { ids } = record as Partial<PromotedRecord>;
  return record.k === 'promoted' && Array.isArray(ids) && ids.every((id) => typeof id === 'string');
}

export function isDiscovery(record: Record): record is DiscoveryRecord {
  const { id, sessionId, type, content, module = '', solution = '' } = record as Partial<DiscoveryRecord>;
  const texts = [id, sessionId, content, module, solution].every((text) => typeof text === 'string');
  return record.k === 'discovered' && texts && DISCOVERY_TYPES.some((known) => known === type);
}
