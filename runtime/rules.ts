// Lists of patterns as project.yaml has them for an agent: `!` takes away, the last that matches counts, and what
// none matches is denied. A pattern that cannot be used gives nothing, and takes everything away.

import { compileGlob } from './glob.ts';

type Rule = { takesAway: boolean; pattern: string; prefix: string; matches(text: string): boolean };

export type Rules = {
  allow(text: string): boolean;
  /** Whether no text is denied. */
  readonly everything: boolean;
  /** Whether something that starts so may be allowed. */
  allowBelow(prefix: string): boolean;
};

export function compileRules(patterns: unknown): Rules {
  const rules = (Array.isArray(patterns) ? patterns : []).map((pattern) => compileRule(String(pattern)));
  const whole = rules.findLastIndex(({ takesAway, pattern }) => !takesAway && pattern === '**');
  return {
    allow(text) {
      for (let n = rules.length - 1; n >= 0; n--) {
        const { matches, takesAway } = rules[n] as Rule;
        if (matches(text)) return !takesAway;
      }
      return false;
    },
    everything: whole >= 0 && !rules.slice(whole).some(({ takesAway }) => takesAway),
    allowBelow(wanted) {
      let isAllowed = false;
      for (const { takesAway, pattern, prefix } of rules) {
        if (!takesAway) isAllowed ||= wanted.startsWith(prefix) || prefix.startsWith(wanted);
        else if (pattern === `${prefix}**` && wanted.startsWith(prefix)) isAllowed = false;
      }
      return isAllowed;
    },
  };
}

function compileRule(written: string): Rule {
  const takesAway = written.startsWith('!');
  const pattern = takesAway ? written.slice(1) : written;
  try {
    const { prefix, matches } = compileGlob(pattern);
    return { takesAway, pattern, prefix, matches };
  } catch {
    return { takesAway, pattern: takesAway ? '**' : '', prefix: '', matches: () => takesAway };
  }
}
