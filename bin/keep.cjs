// Keeps the code that V8 compiles for a server's first answers: node bin/keep.cjs <dist> <root>
// Runs main.cjs as bin/fieldguide.ts does, on the requests piped to it, and writes at the exit.

const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join, resolve } = require('node:path');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

const dist = resolve(process.argv[2]);
const main = join(dist, 'main.cjs');
const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(main, 'utf8')}\n})`;
const script = new Script(source, { filename: main });

process.argv = [process.argv[0], main, 'serve', '--root', process.argv[3]];
process.on('exit', () => {
  const code = script.createCachedData();
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(code));
  mkdirSync(join(dist, 'kept'), { recursive: true });
  writeFileSync(join(dist, 'kept', `${process.versions.v8}-${process.arch}`), Buffer.concat([sum, code]));
});
script.runInThisContext()({}, createRequire(main), { exports: {} }, main, dist);
