// Appends to a session as fast as it can, in a process of its own, with the code that is shipped:
// node journal-writer.cjs <root> <session> <name> <how many> <bytes of each>. It says on stdout what is safe.

const { writeSync } = require('node:fs');
const { join } = require('node:path');
const { Journal } = require(join(__dirname, '../../dist/journal.cjs'));

const [root, session, name, count, bytes] = process.argv.slice(2);
const padding = 'x'.repeat(Math.max(0, Number(bytes) - 90));

async function main() {
  const journal = new Journal({ root });
  for (let n = 0; n < Number(count); n++) {
    await journal.append(session, { k: 'touch', t: Date.now(), use: `${name}-${n}`, paths: [`${name}${padding}`] });
    writeSync(1, `${n}\n`);
  }
}

main();
