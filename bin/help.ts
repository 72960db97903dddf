// Help, made from the table of commands: examples first.

import type { Option } from './args.ts';
import { type Command, type Group, SHARED } from './command.ts';

export function commandHelp(command: Command): string {
  const usage = ['fieldguide', command.name, command.takes?.written, '[options]'].filter(Boolean).join(' ');
  const options = [...command.options, ...SHARED];
  const names = options.map(optionName);
  const nameWidth = Math.max(...names.map((name) => name.length));
  const rows = options.map((option, n) => `  ${(names[n] as string).padEnd(nameWidth)}  ${option.about}`);
  const examples = exampleLines(command.examples);
  return [command.summary, '', 'Examples:', ...examples, '', `Usage: ${usage}`, '', 'Options:', ...rows, ''].join('\n');
}

export function groupHelp({ name, summary, examples, commands }: Group): string {
  return [
    summary,
    '',
    'Examples:',
    ...exampleLines(examples),
    '',
    `Usage: fieldguide ${name} <command> [options]`,
    '',
    'Commands:',
    ...summaryLines(commands.map((command) => ({ ...command, name: command.name.slice(name.length + 1) }))),
    '',
    `fieldguide ${name} <command> --help says more.`,
    '',
  ].join('\n');
}

export function mainHelp(commands: readonly (Command | Group)[], version: string): string {
  return [
    `fieldguide ${version}: what a team knows about its repository, served to AI coding agents`,
    '',
    'Examples:',
    '  fieldguide init                             # write project.yaml from what is in this folder',
    '  fieldguide build                            # compile project.yaml into dist-index/context.fgb',
    '  fieldguide read context://project/overview  # see what an agent will read',
    '  fieldguide serve                            # what a client runs',
    '',
    'Usage: fieldguide <command> [options]',
    '',
    'Commands:',
    ...summaryLines(commands),
    '',
    'fieldguide <command> --help says more.',
    '',
  ].join('\n');
}

function exampleLines(examples: Command['examples']): string[] {
  const width = Math.max(...examples.map(({ line }) => line.length));
  return examples.map(({ line, does }) => `  ${line.padEnd(width)}  # ${does}`);
}

function summaryLines(commands: readonly { name: string; summary: string }[]): string[] {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
}

export function optionName(option: Option): string {
  return option.value === undefined ? `--${option.name}` : `--${option.name} <${option.value}>`;
}
