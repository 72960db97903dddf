// node first.cjs <bundle> read|search <URI or words>: opens a bundle, answers once, and writes the answer. The
// search stands in a file of its own, as it does beside the start file.

import { Bundle } from '../../../runtime/bundle.ts';
import { Mapper } from '../../../runtime/map.ts';

const [file = '', what = '', asked = ''] = process.argv.slice(2);
const bundle = new Bundle(new Mapper('auto').open(file));
if (what === 'search') {
  const { search }: typeof import('../../../runtime/search/search.ts') = require(`${__dirname}/search.cjs`);
  process.stdout.write(JSON.stringify(search(bundle, asked, { limit: 10, may: () => true, everything: true })));
} else {
  const text = bundle.findText(asked);
  if (text === undefined) throw new Error(`${asked} is not there`);
  process.stdout.write(Buffer.concat([text.stored, Buffer.from('\n')]));
}
