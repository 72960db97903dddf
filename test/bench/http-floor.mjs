// The floor: node:http alone, which reads the request and sends the same bytes back for every one.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const answer = readFileSync(process.argv[2]);
const server = createServer((request, response) => {
  request.on('data', () => {});
  request.on('end', () => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': answer.length });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
