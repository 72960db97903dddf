// What looks like a secret, in texts that are packed or recorded. Its value is never printed.

/** None of these looks at a stretch of text twice: every run starts where the one before has ended. */
export const SECRETS: readonly [what: string, pattern: RegExp][] = [
  ['an access key of AWS', /\bAKIA[0-9A-Z]{16}\b/],
  ['a token of GitHub', /\bgh[pousr]_[A-Za-z0-9]{36,}\b/],
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s+[A-Za-z0-9+/=\s]{64}/],
  ['a token of GitLab', /(?<![\w-])glpat-[\w-]{20,}/],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a key of Stripe', /\b[rs]k_live_[0-9A-Za-z]{20,}/],
  ['a key of Google', /\bAIza[\w-]{35}(?![\w-])/],
  ['a token of Slack', /(?<![\w-])xox[abprs]-[\w-]{20,}/],
  ['an API key', /(?<![\w-])sk-(?=[a-z-]*[A-Z0-9])[\w-]{32,}/],
  ['a JSON Web Token', /(?<![\w-])eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/],
];

/** What kind of secret a text seems to hold. */
export function secretIn(text: string): string | undefined {
  return SECRETS.find(([, pattern]) => pattern.test(text))?.[0];
}
