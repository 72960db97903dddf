// A server on stdio, written by hand so that it can do what no server should. `node bad-server.mjs <mode> [file]`: the
// file gets a line for each start and for each request, so that tests know what reached it.

import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [mode = 'good', log] = process.argv.slice(2);
const note = (line) => log !== undefined && appendFileSync(log, `${line}\n`);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const read = (uri, text) => ({ contents: [{ uri, mimeType: 'text/plain', text }] });

note(`start ${process.pid}`);
process.stderr.write(`\u001b[31mred\na secret of ${mode} on stderr\n`);
if (mode === 'crash-start') process.exit(3);
if (mode === 'garbage') {
  process.stdout.write('Welcome to my server!\n{"jsonrpc":"2.0"\n[]\nnull\n"x"\n');
  process.stdout.write(Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0xc3, 0x28, 0x0a]));
}
if (mode === 'endless-line') setInterval(() => process.stdout.write('x'.repeat(65_536)), 1);
if (mode === 'stubborn') {
  process.on('SIGTERM', () => {});
  const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM",()=>{});setInterval(()=>{},1e3)'], {
    stdio: 'ignore',
  });
  note(`start ${child.pid}`);
}
if (['stubborn', 'flood'].includes(mode)) setInterval(() => {}, 1000);

const entries = (count, page) =>
  Array.from({ length: count }, (_, n) => ({ uri: `bad://page-${page}/${n}`, name: `Entry ${page}.${n}` }));

const LIES = [
  { uri: 'bad://fine', name: 'Fine', title: 'A title', _meta: { own: 1 } },
  {
    uri: 'bad://mended',
    name: 7,
    description: null,
    size: -1,
    annotations: { priority: 9, audience: ['dog'], lastModified: 'now' },
  },
  { uri: 'bad://a/../../etc/passwd', name: 'Dots' },
  { uri: 'bad://a/%2e%2e/b', name: 'Encoded dots' },
  { uri: 'bad://nul\u0000', name: 'Control' },
  { uri: `bad://${'long'.repeat(600)}`, name: 'Long' },
  { uri: 'bad://100%?a=b#c ü', name: 'Odd' },
  { name: 'No URI' },
  null,
  'text',
];

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { resources: { subscribe: true, listChanged: true }, tools: {}, prompts: {}, completions: {} },
    serverInfo: { name: 'bad', version: '1' },
  }),
  ping: () => ({}),
  'resources/list': ({ cursor }) => {
    if (mode === 'endless') {
      const page = Number(cursor ?? 0);
      return { resources: entries(3, page), nextCursor: String(page + 1) };
    }
    if (mode === 'same-cursor') return { resources: entries(1, 0), nextCursor: 'again' };
    if (mode === 'paged') {
      const page = Number(cursor ?? 0);
      return { resources: entries(400, page), ...(page < 4 ? { nextCursor: String(page + 1) } : {}) };
    }
    if (mode === 'lies') return { resources: LIES, extra: 'kept', _meta: { mine: true } };
    return {
      resources: [
        { uri: 'bad://a', name: 'A' },
        { uri: 'bad://secret/b', name: 'B' },
      ],
      seen: cursor ?? null,
    };
  },
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'bad://{id}{?x}', name: 'Any' }] }),
  'resources/read': ({ uri }) => {
    if (mode === 'lies') return read(uri === 'bad://same' ? 'BAD://same' : 'bad://other', 'a lie');
    if (mode === 'huge' || (mode === 'huge-first' && uri.endsWith('huge')))
      return read(uri, 'x'.repeat(8 * 1024 * 1024));
    if (mode === 'env') return read(uri, JSON.stringify(process.env));
    if (uri === 'bad://folder')
      return { contents: [...read('bad://folder/1', 'one').contents, ...read('bad://folder/2', 'two').contents] };
    return read(uri, `text of ${uri}`);
  },
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
  'prompts/list': () => ({ prompts: [{ name: 'shown' }, { name: 'hidden' }] }),
  'tools/list': () => ({ tools: [{ name: 'tell', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ name, arguments: given }) => {
    if (name === 'tell') {
      const params = given?.uri === undefined ? undefined : { uri: given.uri };
      for (let n = 0; n < (given?.times ?? 1); n++) send({ method: given.method, ...(params ? { params } : {}) });
    }
    return { content: [{ type: 'text', text: 'told' }] };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  note(`${method} ${params.uri ?? params.cursor ?? ''}`.trim());
  if (id === undefined) {
    if (mode === 'flood' && method === 'notifications/initialized') flood();
    return;
  }
  if (mode === 'hang' || (mode === 'hang-later' && method !== 'initialize' && method !== 'server/discover')) return;
  if (mode === 'crash' && method === 'resources/read') process.exit(7);
  if (mode === 'crash-once' && method === 'resources/read' && params.uri === 'bad://crash') process.exit(7);
  const isHandshake = method === 'initialize' || method === 'server/discover';
  const answer = answers[method];
  if (mode === 'wild-error' && method === 'resources/read') {
    const code = Number(params.uri.split('//')[1]);
    return send({ id, error: { code, message: `wild ${code}`, data: { own: [1, 'zwei'], uri: params.uri } } });
  }
  if (mode === 'list-error' && method === 'resources/list') return send({ id, error: { code: -32603, message: 'no' } });
  if (mode === 'changing' && method === 'resources/read') return answerAndChange(id, answer(params), params.uri);
  if (answer === undefined) return send({ id, error: { code: -32601, message: 'Method not found' } });
  if (mode === 'wrong-id' && !isHandshake) return send({ id: id + 1000, result: answer(params) });
  if (mode === 'drip' && !isHandshake) return drip(JSON.stringify({ jsonrpc: '2.0', id, result: answer(params) }));
  if (mode === 'deep' && ['tools/call', 'resources/read'].includes(method)) {
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const result = `{"content":[],"contents":[{"uri":"bad://a","text":"a","_meta":{"a":${nested}}}],"_meta":{"a":${nested}}}`;
    return process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`);
  }
  return send({ id, result: answer(params) });
});
if (!['stubborn', 'flood'].includes(mode)) process.stdin.on('end', () => process.exit(0));

function flood() {
  const line = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/resources/list_changed' })}\n`.repeat(200);
  const more = () => {
    while (process.stdout.write(line));
    process.stdout.once('drain', more);
  };
  more();
}

/** Both in one piece, as they often arrive. */
function answerAndChange(id, result, uri) {
  const change = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n${JSON.stringify(change)}\n`);
}

function drip(text) {
  let at = 0;
  const timer = setInterval(() => {
    process.stdout.write(at < text.length ? (text[at++] ?? '') : '\n');
    if (at > text.length) clearInterval(timer);
  }, 50);
}
