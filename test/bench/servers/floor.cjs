// The floor: a hand-written JSON-RPC server, no SDK, `JSON.stringify` for each answer.
const { texts } = require('../texts.cjs');

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: answer(method, params) })}\n`);
  }
});

function answer(method, params) {
  if (method === 'initialize') {
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { resources: {} },
      serverInfo: { name: 'floor', version: '0' },
    };
  }
  return { contents: [{ uri: params.uri, mimeType: 'text/markdown', text: texts[params.uri.split('/').at(-1)] }] };
}
