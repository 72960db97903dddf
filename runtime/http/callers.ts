// Who asks, and what everything they ask is answered from: one context for each agent, so that what one may not
// read cannot reach another. Where a bundle names agents nobody comes in without a token.

import { agentAccess } from '../agents.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import type { Settings } from '../settings.ts';
import { settingsOf } from '../spaces/live.ts';
import { adviseHttp } from './advice.ts';
import { readTokens, type Tokens } from './tokens.ts';

export type Caller = {
  /** Of an agent; of the one user where there are none. */
  name: string;
  context: Context;
  settings: Settings;
  /** Whether it would still be let in: a stream outlives the bundle that it was opened under. */
  isWelcome(): boolean;
};

export type CallersOptions = {
  /** Others than this machine's programs reach the server. */
  exposed: boolean;
  /** Who comes without a token. */
  agent: string | undefined;
  env: NodeJS.ProcessEnv;
};

const LOCAL = 'local';

export class Callers {
  readonly #base: Context;
  readonly #options: CallersOptions;
  readonly #contexts = new Map<string, Context>();
  /** By the settings of a bundle, which are read once. */
  readonly #tokens = new WeakMap<Settings, Tokens>();

  constructor(base: Context, options: CallersOptions) {
    // The environment of the server says nothing of the sessions of those who call it.
    this.#base = { ...base, live: { ...base.live, own: undefined } };
    this.#options = options;
  }

  /** Throws Failure for somebody who may not come in. */
  callerOf(authorization: string | undefined): Caller {
    const settings = this.settings();
    const { agent, exposed } = this.#options;
    if (authorization === undefined && agent !== undefined) return this.#caller(agent, settings);
    if (settings.agents === undefined && !exposed && agent === undefined) return this.#caller(undefined, settings);
    const name = this.tokens(settings).agentOf(authorization);
    if (name !== undefined) return this.#caller(name, settings);
    throw new Failure('unauthorized', 'Unauthorized', {
      reason: authorization === undefined ? 'A token is needed here.' : 'This token belongs to no agent.',
      ...adviseHttp('token'),
    });
  }

  settings(): Settings {
    return settingsOf(this.#base);
  }

  tokens(settings: Settings): Tokens {
    const known = this.#tokens.get(settings);
    if (known !== undefined) return known;
    const tokens = readTokens(settings.agents ?? [], this.#options.env, this.#base.log);
    this.#tokens.set(settings, tokens);
    return tokens;
  }

  #caller(agent: string | undefined, settings: Settings): Caller {
    const key = agent ?? '';
    const known = this.#contexts.get(key);
    const context = known ?? (agent === undefined ? this.#base : this.#contextOf(agent));
    if (known === undefined) this.#contexts.set(key, context);
    return { name: agent ?? LOCAL, context, settings, isWelcome: () => this.#isWelcome(agent) };
  }

  #isWelcome(agent: string | undefined): boolean {
    const { agents } = this.settings();
    if (agent === undefined) return agents === undefined;
    return (
      agent === this.#options.agent ||
      agents?.some(({ name, tokenName }) => name === agent && tokenName !== undefined) === true
    );
  }

  #contextOf(agent: string): Context {
    return { ...this.#base, access: agentAccess(this.#base.bundle, agent), notices: {} };
  }
}
