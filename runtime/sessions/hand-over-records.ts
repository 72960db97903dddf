// Records of a journal as they enter the database. What is no record of ours is passed over, as the journal's own
// reader does; a summary says nothing that the events before it have not.

import type { Client } from './database.ts';
import type { Counters } from './database-notices.ts';
import { isDiscovery, isPromoted } from './discovery-records.ts';
import { applyEvents, insertDiscovery } from './postgres.ts';
import type { Record } from './record.ts';
import { sessionIdOf } from './safe-name.ts';
import { isEvent } from './session-file.ts';

/** `id` of the session whose journal it is; undefined for that of discoveries. Gives what has changed. */
export async function applyRecords(
  client: Client,
  id: string | undefined,
  records: readonly Record[],
): Promise<Set<keyof Counters>> {
  const changed = new Set<keyof Counters>();
  if (id !== undefined) {
    const events = records.filter(isEvent);
    await applyEvents(client, id, events);
    if (events.length > 0) changed.add('sessions');
    return changed;
  }
  for (const record of records) {
    if (isPromoted(record)) {
      await client.query('UPDATE discoveries SET promoted_at = $2 WHERE id = ANY($1) AND promoted_at IS NULL', [
        record.ids.filter((one) => !one.includes('\0')),
        record.t,
      ]);
      changed.add('discoveries');
    } else if (isDiscovery(record)) {
      const { k: _, t, ...discovery } = record;
      await insertDiscovery(client, { ...discovery, sessionId: sessionIdOf(discovery.sessionId), at: t });
      changed.add('discoveries');
    }
  }
  return changed;
}
