// Reads a session with the code that is shipped, in a process of its own, and says what it found and how much
// memory that took: node journal-reader.cjs <root> <session>.

const { join } = require('node:path');
const { Journal } = require(join(__dirname, '../../dist/journal.cjs'));

async function main() {
  const [root, session] = process.argv.slice(2);
  const before = process.resourceUsage().maxRSS;
  const journal = new Journal({ root });
  const { toolCalls, damaged } = (await journal.find(session)) ?? {};
  const recent = (await journal.recent(10)).map(({ id }) => id);
  const grownBytes = (process.resourceUsage().maxRSS - before) * 1024;
  process.stdout.write(JSON.stringify({ toolCalls, damaged, recent, grownBytes }));
}

main();
