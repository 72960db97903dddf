// Hands over what hooks have left in the journal to the database that the project keeps its live data in: a process
// of its own, started by a hook that does not wait for it. It says nothing; what cannot be done now is done by the
// next one, or by the next server or command that uses the database.

import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { liveOf } from '../runtime/live.ts';
import { LIVE_FOLDER } from '../runtime/sessions/record-event.ts';
import { AT_WORK } from './hand-over-start.ts';
import { settingsAt } from './session-store.ts';

/** Another hook may have recorded while the last look was under way. */
const MOST_LOOKS = 5;
const AT_WORK_MS = 10_000;

async function handOver(root: string): Promise<void> {
  const settings = settingsAt(root);
  const live = liveOf(root, process.env);
  const file = join(root, LIVE_FOLDER, AT_WORK);
  for (let looks = 0; looks < MOST_LOOKS && takeTurn(file); looks++) {
    const done = await live.handOver(settings);
    rmSync(file, { force: true });
    // Whoever came before the file was gone has left it to us.
    if (done === 0 && looks > 0) return;
  }
}

/** False while another one is at work. */
function takeTurn(file: string): boolean {
  try {
    if (Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= AT_WORK_MS)
      rmSync(file, { force: true });
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

const [, , root = '.'] = process.argv;
handOver(root).then(
  () => process.exit(0),
  () => process.exit(1),
);
