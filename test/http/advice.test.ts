// Every piece of advice that only HTTP gives, provoked.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { HTTP_ADVICE } from '../../runtime/http/advice.ts';
import { ENVELOPE, type Message } from '../support/command.ts';
import { HttpServed } from '../support/http-served.ts';
import { builtShop } from '../support/served.ts';
import { SHOP } from '../support/shop.ts';
import { until } from '../support/until.ts';

const TOKEN = 'a-token-long-enough-to-be-one';
function agents(rate: number): string {
  return `${SHOP}agents: { one: { resources: "*", token: "\${ONE}" } }\nlimits: { ratePerMinute: ${rate} }\n`;
}
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const LISTEN = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: { notifications: {}, _meta: ENVELOPE },
});
const LISTENING = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };

test('each refusal of the HTTP server says what to do', async (t) => {
  const served = new HttpServed(t, ['--root', builtShop(t, agents(100_000))], { env: { ONE: TOKEN } });
  const origin = await served.origin();
  const given = new Map<string, Message>();
  const ask = async (path: string, headers: Record<string, string>, body = PING, method = 'POST'): Promise<Message> =>
    await new Promise((resolve, reject) => {
      const asked = request(`${origin}${path}`, {
        method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}`, ...headers },
      });
      asked.on('error', reject);
      asked.on('response', (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve(JSON.parse(text).error?.data));
      });
      asked.end(method === 'POST' ? body : undefined);
    });
  given.set('host', await ask('/mcp', { host: 'evil.example' }));
  given.set('origin', await ask('/mcp', { origin: 'https://evil.example' }));
  given.set('token', await ask('/mcp', { authorization: '' }));
  given.set('body', await ask('/mcp', {}, ' '.repeat(1024 * 1024 + 1)));
  given.set('post', await ask('/mcp', {}, PING, 'PUT'));
  given.set('headers', await ask('/mcp', { 'mcp-protocol-version': '2026-07-28' }, LISTEN));
  given.set('handshake', await ask('/mcp', { 'mcp-session-id': 'none' }));
  given.set('path', await ask('/other', {}));
  served.headers = { authorization: `Bearer ${TOKEN}` };
  await served.request('initialize', { capabilities: { elicitation: {} } });
  const DISCOVERY = { type: 'rule', content: 'Tokens are rotated every night.' };
  void served.request('tools/call', { name: 'record_discovery', arguments: DISCOVERY }, 'twice').catch(() => {});
  await served.answer(({ method }) => method === 'elicitation/create');
  given.set('id', (await served.request('ping', {}, 'twice')).error.data);
  served.session = undefined;
  const before = served.messages.length;
  for (let n = 0; n < 1000; n++) void served.post(LISTEN, LISTENING).catch(() => {});
  await until(() => served.messages.length >= before + 1000);
  given.set('streams', (await served.post(LISTEN, LISTENING)).messages[0].error.data);
  const rated = new HttpServed(t, ['--root', builtShop(t, agents(5))], { env: { ONE: TOKEN } });
  rated.headers = served.headers;
  for (let n = 0; n < 6; n++) await rated.post(PING);
  given.set('rate', rated.messages.at(-1).error.data);
  assert.deepEqual([...given.keys()].sort(), Object.keys(HTTP_ADVICE).sort());
  for (const [name, advice] of Object.entries(HTTP_ADVICE)) {
    const { hint, setup }: { hint: string; setup?: string } = advice;
    assert.deepEqual([given.get(name)?.hint, given.get(name)?.setup], [hint, setup], name);
  }
});
