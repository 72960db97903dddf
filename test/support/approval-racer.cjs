// Uses every approval that it is told of, several at a time, and says which were its own: one of several processes
// that race for the same ones.

const { DatabaseLive } = require('../../dist/live-database.cjs');

const [, , root, where, ids] = process.argv;
const { approvals } = new DatabaseLive({ root, where });

async function race() {
  const won = [];
  const left = ids.split(',');
  const work = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      if (await approvals.use(id, Date.now())) won.push(id);
    }
  };
  // Connected before the race begins, so that both are in it.
  await Promise.all([1, 2, 3, 4].map(() => approvals.find(ids.split(',')[0])));
  process.stdout.write('ready\n');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  await Promise.all([work(), work(), work(), work()]);
  process.stdout.write(won.join(','), () => process.exit(0));
}

race();
