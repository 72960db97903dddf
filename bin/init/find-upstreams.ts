// Servers that `.mcp.json` names, as upstreams of project.yaml: copied over once, when that is asked for. What may be a
// secret is not: its place is taken by the name of a variable, which a note tells.

import { foreignSentence, isSuspect } from './foreign-text.ts';
import { entriesOf, textOf, textsOf, under } from './outside-values.ts';
import type { Survey } from './survey.ts';

const FILE = '.mcp.json';
const MOST_SERVERS = 50;
/** Names of groups, as the compiler wants them. */
const GROUP = /^[A-Za-z0-9](?:[A-Za-z0-9.-]|_(?!_)){0,29}$/;
const SECRET_NAME = /auth|cookie|credential|key|pass|secret|token/i;

type Pairs = readonly (readonly [name: string, value: string])[];

export type FoundUpstream = { group: string; description?: string } & (
  | { command: string; args: readonly string[]; env: Pairs }
  | { url: string; headers: Pairs }
);

export function findUpstreams(survey: Survey): FoundUpstream[] {
  if (!survey.isTaken(FILE)) return [];
  const servers = entriesOf(under(survey.json(FILE), 'mcpServers')).slice(0, MOST_SERVERS);
  const found: FoundUpstream[] = [];
  for (const [name, server] of servers) {
    if (isOurs(name, server)) continue;
    const one = upstreamOf(survey, groupOf(name), server);
    if (one === undefined) pass(survey, name, 'it has neither a plain command nor an address');
    else if (!GROUP.test(one.group) || found.some(({ group }) => group === one.group)) {
      pass(survey, name, 'its name cannot be that of a group');
    } else found.push(one);
  }
  return found;
}

function isOurs(name: string, server: unknown): boolean {
  const words = [textOf(under(server, 'command')) ?? '', ...textsOf(under(server, 'args'))];
  return name === 'fieldguide' || words.some((word) => /(^|[\\/])fieldguide(\.cjs)?$/.test(word));
}

function groupOf(name: string): string {
  return name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/_{2,}/g, '_')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 30)
    .replace(/[^A-Za-z0-9]+$/, '');
}

function upstreamOf(survey: Survey, group: string, server: unknown): FoundUpstream | undefined {
  const description = foreignSentence(under(server, 'description'));
  const head = { group, ...(description === undefined ? {} : { description }) };
  const command = textOf(under(server, 'command'));
  const url = textOf(under(server, 'url'));
  const own = (value: string): string => plainVariables(value);
  if (command !== undefined) {
    const args = textsOf(under(server, 'args')).map(own);
    if ([command, ...args].some((word) => isSuspect(word) || /\p{Cc}/u.test(word))) return undefined;
    return { ...head, command, args, env: pairsOf(survey, group, under(server, 'env')) };
  }
  if (url === undefined || !/^https?:\/\/[^\s/?#@]+(?:[/?#]|$)/.test(url) || isSuspect(url)) return undefined;
  return { ...head, url: own(url), headers: pairsOf(survey, group, under(server, 'headers')) };
}

/** `${env:NAME}` of some clients, and `${NAME:-default}` of others, are `${NAME}` here. */
function plainVariables(value: string): string {
  return value.replace(/\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}/g, `\${$1}`);
}

function pairsOf(survey: Survey, group: string, written: unknown): Pairs {
  return entriesOf(written).flatMap(([name, value]) => {
    if (typeof value !== 'string' || /\p{Cc}/u.test(name + value)) return [];
    const plain = plainVariables(value);
    const isNamed = /\$\{\w+\}/.test(plain);
    if (isNamed || !(SECRET_NAME.test(name) || isSuspect(value))) return [[name, plain] as const];
    const variable = `${/^[A-Za-z_]\w*$/.test(name) ? '' : `${group}_`}${name}`.replace(/\W/g, '_').toUpperCase();
    survey.notes.push(
      `${FILE} has a value for ${name} of ${group}, which may be a secret: set the variable ${variable}.`,
    );
    return [[name, `\${${variable}}`] as const];
  });
}

function pass(survey: Survey, name: string, why: string): void {
  survey.passOver(`the server ${JSON.stringify(name.slice(0, 80))} of ${FILE}`, why);
}
