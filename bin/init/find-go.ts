// What go.mod and go.work tell. Their grammar is lines, read as such.

import { foreignName } from './foreign-text.ts';
import type { Found, Member } from './found.ts';
import { knownIn } from './known-technology.ts';
import { baseName, joined, type Survey } from './survey.ts';
import { workspaceFolders } from './workspace.ts';

const MODULE = 'go.mod';
const WORK = 'go.work';
const MOST_LINES = 5000;

export function findGo(survey: Survey): Found | undefined {
  const text = survey.text(MODULE);
  const work = survey.text(WORK);
  if (text === undefined && work === undefined) return undefined;
  const folders = workspaceFolders(survey, directive(work ?? '', 'use'), MODULE);
  const modules = folders.map((folder) => ({ folder, text: survey.text(joined(folder, MODULE)) ?? '' }));
  const { stack, kinds } = knownIn('GO', [text ?? '', ...modules.map((one) => one.text)].flatMap(requirements));
  const path = directive(text ?? '', 'module')[0] ?? '';
  const name = foreignName(baseName(path.replace(/\/v\d+$/, '')));
  const version = foreignName(directive(text ?? work ?? '', 'go')[0]);
  const isProgram = survey.isFile('main.go') || survey.list('cmd').folders.length > 0;
  return {
    ...(name === undefined ? {} : { name }),
    stack: ['Go', ...stack],
    kinds: [...kinds, isProgram ? 'program' : 'library'],
    runtime: version === undefined ? 'Go' : `Go ${version}`,
    packageManager: 'go',
    commands: text === undefined ? [] : ['go build ./...', 'go test ./...'],
    members: modules.map(
      (one): Member => ({
        folder: one.folder,
        ...packageNameOf(one.text),
        entries: ['main.go', `${baseName(one.folder)}.go`, 'doc.go'].map((file) => joined(one.folder, file)),
        manifest: joined(one.folder, MODULE),
        needs: requirements(one.text),
      }),
    ),
    isMonorepo: modules.length > 0,
  };
}

function packageNameOf(text: string): { packageName?: string } {
  const [packageName] = directive(text, 'module');
  return packageName === undefined ? {} : { packageName };
}

/** Required modules without the version in their path, direct ones only. */
function requirements(text: string): string[] {
  return directive(text, 'require').map((path) => path.replace(/\/v\d+$/, ''));
}

/** First words after a directive, on its own line or on lines in parentheses. */
function directive(text: string, name: string): string[] {
  const values: string[] = [];
  let isInside = false;
  for (const line of text.split('\n', MOST_LINES)) {
    if (/\/\/ indirect\b/.test(line)) continue;
    const words = line
      .replace(/\/\/.*$/, '')
      .trim()
      .split(/\s+/);
    if (isInside && words[0] === ')') isInside = false;
    else if (isInside) values.push(words[0] as string);
    else if (words[0] === name && words[1] === '(') isInside = true;
    else if (words[0] === name && words[1] !== undefined) values.push(words[1]);
  }
  return values.map((value) => value.replace(/^"(.*)"$/, '$1')).filter((value) => value !== '');
}
