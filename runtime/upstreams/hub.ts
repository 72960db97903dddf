// The groups of a process, made from what the bundle says of them when somebody first asks. A new bundle may say
// something else: a group that is no longer the same is ended and made anew, and one that has gone is ended.

import type { Settings } from '../settings.ts';
import type { UpstreamsDoor } from './door.ts';
import { Group } from './group.ts';

export class Hub {
  readonly #door: UpstreamsDoor;
  readonly #log: (line: string) => void;
  readonly #groups = new Map<string, { group: Group; madeOf: string }>();
  #seen: Settings | undefined;

  constructor(door: UpstreamsDoor, log: (line: string) => void) {
    this.#door = door;
    this.#log = log;
  }

  /** In the order of project.yaml. */
  groups(settings: Settings): readonly Group[] {
    if (this.#seen !== settings) this.#takeUp(settings);
    this.#seen = settings;
    return settings.upstreams.map(({ group }) => this.#groups.get(group)?.group as Group);
  }

  async end(): Promise<void> {
    await Promise.all([...this.#groups.values()].map(({ group }) => group.end()));
  }

  #takeUp(settings: Settings): void {
    const wanted = new Set(settings.upstreams.map(({ group }) => group));
    for (const [name, { group }] of this.#groups) {
      if (wanted.has(name)) continue;
      this.#groups.delete(name);
      void group.end();
    }
    for (const one of settings.upstreams) {
      const madeOf = JSON.stringify([one, settings.projectSha256]);
      const known = this.#groups.get(one.group);
      if (known?.madeOf === madeOf) continue;
      const group = new Group(one, settings, this.#door, this.#log);
      if (known !== undefined) group.wanted.takeOver(known.group.wanted);
      void known?.group.end();
      this.#groups.set(one.group, { group, madeOf });
    }
  }
}
