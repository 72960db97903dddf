// The first page of a guide, made of what was found: what the project is, the commands that work in it, and where
// things are. Nothing in it is made up; a guide that is wrong from the start is not read again.

import { escapeMarkdown } from './foreign-text.ts';
import type { Outline } from './outline.ts';
import { yamlText } from './yaml-text.ts';

export function startPage(outline: Outline): string {
  const { name, description, commands, modules, files, docs, guide } = outline;
  const up = '../'.repeat(guide.page.split('/').length - 1);
  const parts = modules.map(({ name: part, folder: at, keyFiles, description: said }) => {
    const about = said === undefined ? '' : `: ${escapeMarkdown(said)}`;
    return `- **${escapeMarkdown(part)}**, ${place(keyFiles[0]?.path ?? at)}${about}`;
  });
  const more = files
    .filter((path) => !path.includes('*'))
    .map((path) => `- [${escapeMarkdown(path)}](${up}${encodeURI(path)})`);
  const folder = docs === undefined ? [] : [`- ${place(`${docs}/`)}: documentation`];
  return [
    ['---', 'title: Start here', `description: ${yamlText(aboutPage(name, outline))}`, 'priority: 1', '---'].join('\n'),
    `# Working on ${escapeMarkdown(name)}`,
    escapeMarkdown(description ?? 'What somebody new to this repository has to know.'),
    ...(commands.length === 0 ? [] : ['## Install, build, test', ['```sh', ...commands, '```'].join('\n')]),
    ...(parts.length === 0 ? [] : ['## Where things are', parts.join('\n')]),
    ...(more.length + folder.length === 0 ? [] : ['## Read on', [...more, ...folder].join('\n')]),
  ]
    .join('\n\n')
    .concat('\n');
}

function aboutPage(name: string, { commands, modules }: Outline): string {
  const told = [
    ...(commands.length > 0 ? ['the commands that work in it'] : []),
    ...(modules.length > 0 ? ['where things are'] : []),
  ];
  return told.length === 0 ? `What to know of ${name}` : `What to know of ${name}: ${told.join(', and ')}`;
}

function place(path: string): string {
  return path.includes('`') ? escapeMarkdown(path) : `\`${path}\``;
}
