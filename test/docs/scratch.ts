// A repository in which the blocks of the manual are run, with `fieldguide` on the PATH.

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';
import { run, START_FILE } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';

const SOURCES = {
  '.gitignore': 'node_modules/\n',
  'package.json': '{ "name": "shop", "description": "Sells things", "scripts": { "test": "node --test" } }\n',
  'README.md': '# Shop\n\nSells things.\n',
  'docs/why.md': '# Why\n\nBecause.\n',
  'src/auth/index.ts': 'export {};\n',
  'content/docs/start.md': '# Release\n\nHow a refresh token is made.\n',
};

const PROJECT = {
  'project.yaml': `version: "1.0"
project: { name: Shop }
modules:
  auth:
    description: Sign-in
    keyFiles: [{ path: src/auth/index.ts, role: entry }]
files: [README.md]
`,
};

/** What a page takes for granted, beside the usual. */
const MORE: Record<string, Record<string, string>> = {
  'content/manual/ci.md': { 'content/docs/a.md': '# A\n\nSee [it](gone.md).\n' },
};

/** Pages for those who have nothing yet. */
const FROM_NOTHING = ['README.md', 'content/manual/start.md'];
const SPENT_MS = 20_000;

export class Scratch {
  readonly root: string;
  readonly #bin: string;

  constructor(t: TestContext, page: string) {
    this.#bin = temporaryFolder(t, {
      fieldguide: `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(START_FILE)} "$@"\n`,
    });
    chmodSync(join(this.#bin, 'fieldguide'), 0o755);
    if (FROM_NOTHING.includes(page)) {
      this.root = temporaryFolder(t, SOURCES);
      return;
    }
    this.root = temporaryFolder(t, { ...SOURCES, ...PROJECT, ...MORE[page] });
    run(['build', '--root', this.root]);
    cpSync(join(this.root, 'dist-index'), join(this.root, 'main/dist-index'), { recursive: true });
  }

  /** A block of shell as it stands, but for what runs until it is stopped, and digests that are left open. */
  shell(block: string): { status: number | null; output: string } {
    const script = block
      .split('\n')
      .map((line) =>
        line.includes('--watch') ? `timeout -s INT 3 ${line.replace(/#.*/, '')} || test $? -le 130` : line,
      )
      .join('\n')
      .replaceAll('sha256:…', () => this.#digest());
    const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: this.root,
      encoding: 'utf8',
      input: '',
      timeout: SPENT_MS,
      env: { ...process.env, HOME: this.root, PATH: `${this.#bin}${delimiter}${process.env.PATH}`, NO_COLOR: '1' },
    });
    return { status, output: `${stdout}${stderr}` };
  }

  #digest(): string {
    return JSON.parse(readFileSync(join(this.root, 'dist-index/manifest.json'), 'utf8')).digest;
  }
}
