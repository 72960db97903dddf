// The store on PostgreSQL: the suite of every store against a real server, and what is its own.

import { DatabaseLive } from '../../runtime/sessions/live-database.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freshDatabase } from '../support/postgres.ts';
import { storeSuite } from './suite.ts';

storeSuite('PostgreSQL', async (t, clock) => {
  const live = new DatabaseLive({ root: temporaryFolder(t), where: await freshDatabase(), now: () => clock.now });
  t.after(async () => await live.end());
  return await live.store(30);
});
