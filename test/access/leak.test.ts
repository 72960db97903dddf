// A walk through everything a server says: no word that stands only in what the agent may not read is heard, in
// whatever era, not as a name, a count, a hint, a correction or a completion.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtWithAgents, builtWithoutSecrets, SECRET_WORDS } from '../support/agents.ts';
import { ENVELOPE, type Message, run, Served } from '../support/command.ts';
import { type Request, walk } from '../support/walk.ts';

/** An answer without the whole words of its own question: what completes one is heard. */
function heard(answer: Message, request: Request): string {
  let said = JSON.stringify(answer.error ?? answer.result).toLowerCase();
  for (const word of JSON.stringify(request).match(/[a-z0-9]{4,}/g) ?? [])
    said = said.replace(new RegExp(`\\b${word}\\b`, 'g'), '');
  return said;
}

for (const era of ['with a handshake', 'without'] as const) {
  test(`nothing is heard of what may not be read, ${era}`, async (t) => {
    const root = builtWithAgents(t);
    assert.equal(run(['session', 'start', '--root', root]).code, 0);
    const discover = ['session', 'discover', '--root', root, '--yes', '--type', 'rule'];
    for (const [module, text] of [
      ['zephyrine', 'Only tourmaline will do here'],
      ['open', 'Everybody may read this one'],
    ]) {
      const { code, stderr } = run([...discover, '--module', String(module), String(text)], { cwd: root });
      assert.equal(code, 0, stderr);
    }
    const server = new Served(t, ['--root', root, '--agent', 'outsider']);
    const insider = new Served(t, ['--root', root, '--agent', 'insider']);
    const ask = async (served: Served, [method, params = {}]: Request): Promise<Message> =>
      await served.request(method, era === 'without' ? { ...params, _meta: ENVELOPE } : params);
    const requests = era === 'without' ? [...walk(), ['server/discover'] as Request] : walk();
    const known = new Set<string>();
    let answered = 0;
    for (const request of requests) {
      const answer = await ask(server, request);
      if (answer.result !== undefined) answered++;
      const said = heard(answer, request);
      for (const word of SECRET_WORDS)
        assert.ok(!said.includes(word), `${word} after ${JSON.stringify(request)}: ${said}`);
      const toOthers = heard(await ask(insider, request), request);
      for (const word of SECRET_WORDS) if (toOthers.includes(word)) known.add(word);
    }
    assert.ok(answered > 100, String(answered));
    assert.deepEqual([...known].sort(), [...SECRET_WORDS].sort(), 'who may read everything hears every one of them');
  });
}

for (const agent of ['outsider', 'beside']) {
  test(`every answer to ${agent} is that of a bundle that never held what it may not read`, async (t) => {
    const withSecrets = new Served(t, ['--root', builtWithAgents(t), '--agent', agent]);
    const without = new Served(t, ['--root', builtWithoutSecrets(t), '--agent', agent]);
    let compared = 0;
    for (const [method, params] of walk()) {
      const [one, other] = [await withSecrets.request(method, params), await without.request(method, params)];
      assert.deepEqual([one.result, one.error], [other.result, other.error], `${method} ${JSON.stringify(params)}`);
      if (one.result !== undefined) compared++;
    }
    assert.ok(compared > 100, String(compared));
  });
}
