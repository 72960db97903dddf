// Runs main.cjs once as the start file would, serves what comes on stdin, and keeps the code that V8 compiled
// by then, for it and for each sibling that was loaded: node keep.cjs <dist> <root of a project>.

const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { basename, join, resolve } = require('node:path');
const { Script } = require('node:vm');
const { crc32 } = require('node:zlib');

const dist = resolve(process.argv[2]);
const scripts = new Map();
const loaded = new Map();
const plain = createRequire(join(dist, 'main.cjs'));

function load(name) {
  if (!name.startsWith('./')) return plain(name);
  if (loaded.has(name)) return loaded.get(name);
  const file = join(dist, name);
  const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'utf8')}\n})`;
  const script = new Script(source, { filename: file });
  const sibling = { exports: {} };
  scripts.set(basename(name), script);
  loaded.set(name, sibling.exports);
  script.runInThisContext()(sibling.exports, load, sibling, file, dist);
  loaded.set(name, sibling.exports);
  return sibling.exports;
}

process.argv = [process.argv[0], join(dist, 'main.cjs'), 'serve', '--root', process.argv[3]];
process.on('exit', () => {
  const folder = join(dist, 'kept', `${process.versions.v8}-${process.arch}`);
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of scripts) {
    const code = script.createCachedData();
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(crc32(code));
    writeFileSync(join(folder, name), Buffer.concat([sum, code]));
  }
});
load('./main.cjs');
