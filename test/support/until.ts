// Waits for something to come true, within a bound that says that it never will.

import { setTimeout as sleep } from 'node:timers/promises';

export async function until(holds: () => boolean | Promise<boolean>, withinMs = 20_000): Promise<void> {
  for (const endAt = Date.now() + withinMs; !(await holds()); ) {
    if (Date.now() > endAt) throw new Error(`it did not happen within ${withinMs / 1000} seconds`);
    await sleep(20);
  }
}
