// Which agent a token belongs to. Tokens come from the environment; only their hashes are kept, and every one is
// compared, in constant time, so that how long it takes says nothing.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { AgentSettings } from '../settings.ts';

export type Tokens = {
  /** The agent of an Authorization header. */
  agentOf(header: string | undefined): string | undefined;
  readonly count: number;
};

/** Shorter ones can be guessed. */
const LEAST_CHARACTERS = 16;

export function readTokens(
  agents: readonly AgentSettings[],
  env: NodeJS.ProcessEnv,
  warn: (line: string) => void,
): Tokens {
  const known: { agent: string; hash: Buffer }[] = [];
  for (const { name, tokenName } of agents) {
    if (tokenName === undefined) continue;
    const token = env[tokenName]?.trim() ?? '';
    const hash = hashOf(token);
    const other = known.find((one) => one.hash.equals(hash));
    const problem =
      token === ''
        ? 'is not set'
        : token.length < LEAST_CHARACTERS
          ? `is shorter than ${LEAST_CHARACTERS} characters`
          : other === undefined
            ? undefined
            : `is also the token of the agent ${other.agent}`;
    if (problem === undefined) known.push({ agent: name, hash });
    else warn(`the agent ${name} cannot come in: its variable ${tokenName} ${problem}`);
  }
  return {
    count: known.length,
    agentOf: (header) => {
      const token = /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];
      if (token === undefined) return undefined;
      const given = hashOf(token);
      let found: string | undefined;
      for (const { agent, hash } of known) if (timingSafeEqual(hash, given)) found = agent;
      return found;
    },
  };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
