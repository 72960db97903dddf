// Waiting for something to become true, within a bound.

import { setTimeout as sleep } from 'node:timers/promises';

export async function until(is: () => boolean | Promise<boolean>, mostMs = 10_000): Promise<void> {
  for (const end = Date.now() + mostMs; !(await is()); await sleep(20)) {
    if (Date.now() > end) throw new Error('it did not happen in time');
  }
}
