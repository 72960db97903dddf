// Plain remark-parse over every markdown file of a folder, once, on one core: what a build is held against.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

const folder = process.argv[2];
const parser = unified().use(remarkParse).freeze();
for (const path of readdirSync(folder, { recursive: true })
  .filter((file) => file.endsWith('.md'))
  .sort()) {
  parser.parse(readFileSync(join(folder, path), 'utf8'));
}
