// `${NAME}` in what project.yaml says of a group, looked up when a connection is made. The value goes to the program
// or the server alone; only the name is ever said.

import { Outage } from './outage.ts';

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Throws Outage for a variable that is not there. An empty one is a value. */
export function fillIn(text: string, env: NodeJS.ProcessEnv): string {
  return text.replace(VARIABLE, (_, name: string) => {
    const value = env[name];
    if (value !== undefined) return value;
    throw new Outage({
      brief: 'is not connected',
      reason: `The environment variable ${name} is not set.`,
      word: 'undefined_variable',
      advice: 'upstreamVariable',
    });
  });
}

export function namesVariables(texts: readonly string[]): boolean {
  return texts.some((text) => text.search(VARIABLE) >= 0);
}
