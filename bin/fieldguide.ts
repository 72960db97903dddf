#!/usr/bin/env node
// What a client starts. It runs main.cjs beside it, and what that loads later, with the compiled code that V8
// kept when the package was made (bin/keep.cjs): about a twentieth of the start, more of a first search. For
// any other V8, or without those files, everything is compiled as usual. The kept code carries a checksum,
// because V8 does not check it. A hook runs hook.cjs instead, as it is: what checks kept code would take it
// longer to load than its own code to compile.

import { readFileSync } from 'node:fs';

const loaded = new Map<string, unknown>();

/** Siblings are loaded here, once each; everything else as always. */
function load(name: string): unknown {
  if (!name.startsWith('./')) return require(name);
  if (!loaded.has(name)) loaded.set(name, loadSibling(`${__dirname}/${name.slice(2)}`, name.slice(2)));
  return loaded.get(name);
}

function loadSibling(file: string, name: string): unknown {
  const cachedData = keptCode(name);
  if (cachedData === undefined) return require(file);
  const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'utf8')}\n})`;
  const sibling = { exports: {} };
  const { Script }: typeof import('node:vm') = require('node:vm');
  const run = new Script(source, { filename: file, cachedData }).runInThisContext();
  run(sibling.exports, load, sibling, file, __dirname);
  return sibling.exports;
}

function keptCode(name: string): Buffer | undefined {
  try {
    const file = readFileSync(`${__dirname}/kept/${process.versions.v8}-${process.arch}/${name}`);
    const code = file.subarray(4);
    const { crc32 }: typeof import('node:zlib') = require('node:zlib');
    return file.readUInt32LE(0) === crc32(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

if (process.argv[2] === 'session' && process.argv[3] === 'hook') require(`${__dirname}/hook.cjs`);
else load('./main.cjs');
