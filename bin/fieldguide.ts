#!/usr/bin/env node
// What a client starts. It runs main.cjs beside it with the compiled code that V8 kept when the package
// was made (bin/keep.cjs), which saves about a twentieth of the start; for any other V8, or without that file,
// main.cjs is compiled as usual. The kept code carries a checksum, because V8 does not check it.

import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

const main = `${__dirname}/main.cjs`;

function keptCode(): Buffer | undefined {
  try {
    const file = readFileSync(`${__dirname}/kept/${process.versions.v8}-${process.arch}`);
    const code = file.subarray(4);
    return file.readUInt32LE(0) === crc32(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

const cachedData = keptCode();
if (cachedData === undefined) {
  require(main);
} else {
  const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(main, 'utf8')}\n})`;
  new Script(source, { filename: main, cachedData }).runInThisContext()(exports, require, module, main, __dirname);
}
