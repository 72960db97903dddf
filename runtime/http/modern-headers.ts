// A request without a handshake says in its headers what its body says: a proxy routes by the one, a server
// answers the other. Where they differ, one of the two would be deceived.

import { Failure } from '../failure.ts';
import { VERSION_KEY } from '../wire/eras.ts';
import { adviseHttp } from './advice.ts';

type Headers = { [name: string]: string | string[] | undefined };
type Message = { method: string; params: Record<string, unknown> };

/** Which parameter the header Mcp-Name repeats. */
const NAMED_BY: Record<string, string> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

/** Asked before the version itself: two versions of which one is not known are still two. */
export function checkVersion(headers: Headers, { params }: Pick<Message, 'params'>): void {
  const said = headers['mcp-protocol-version'];
  const version = Object(params._meta)[VERSION_KEY];
  if (said !== undefined && version !== undefined) same('MCP-Protocol-Version', said, version);
}

/** Throws Failure where a header is missing or says something else than the body. */
export function checkHeaders(headers: Headers, { method, params }: Message): void {
  const version = (params._meta as Record<string, unknown>)[VERSION_KEY];
  same('MCP-Protocol-Version', headers['mcp-protocol-version'], version);
  same('Mcp-Method', headers['mcp-method'], method);
  const named = Object.hasOwn(NAMED_BY, method) ? params[NAMED_BY[method] as string] : undefined;
  if (typeof named !== 'string') return;
  const name = headers['mcp-name'];
  same('Mcp-Name', typeof name === 'string' ? decoded(name.trim()) : name, named);
}

function same(header: string, said: unknown, expected: unknown): void {
  if (typeof said === 'string' && said.trim() === expected) return;
  const reason =
    said === undefined ? `The header ${header} is missing.` : `The header ${header} says something else than the body.`;
  throw new Failure('header_mismatch', 'Header mismatch', { reason, header, ...adviseHttp('headers') });
}

/** `=?base64?…?=` holds what a header cannot; an encoding that is wrong equals nothing. */
function decoded(value: string): string | undefined {
  const match = /^=\?base64\?(.*)\?=$/i.exec(value);
  if (match === null) return value;
  const coded = match[1] as string;
  const bytes = Buffer.from(coded, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== coded.replace(/=+$/, '')) return '';
  return bytes.toString('utf8');
}
