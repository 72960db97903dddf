// A runner for composite actions, small but real: it reads action.yml, evaluates its expressions, and runs its
// own shell steps with the files and variables that GitHub's runner gives them.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

type Step = {
  id?: string;
  name?: string;
  if?: string;
  shell?: string;
  run?: string;
  uses?: string;
  env?: object;
  with?: object;
};

export type Action = {
  inputs: Record<string, { default?: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
};

export type Ran = {
  outcome: 'success' | 'failure';
  log: string;
  summary: string;
  outputs: Record<string, string>;
  /** Actions that a step would have used, with what it would have given them. */
  used: { uses: string; with: Record<string, string> }[];
};

type Values = Record<string, Record<string, string>>;

export function readAction(file: string): Action {
  return parse(readFileSync(file, 'utf8'));
}

export function runAction(
  action: Action,
  options: { workspace: string; temp: string; inputs?: Record<string, string>; github?: Record<string, string> },
): Ran {
  const { workspace, temp } = options;
  const unknown = Object.keys(options.inputs ?? {}).filter((name) => !(name in action.inputs));
  if (unknown.length > 0) throw new Error(`the action has no input ${unknown.join(', ')}`);
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? '']);
  const inputs = { ...Object.fromEntries(defaults), ...options.inputs };
  const github = { base_ref: '', workspace, ...options.github };
  const steps: Values = {};
  const values = { inputs, github, runner: { temp } };
  const summaryFile = join(temp, 'summary.md');
  mkdirSync(temp, { recursive: true });
  writeFileSync(summaryFile, '');
  const ran: Ran = { outcome: 'success', log: '', summary: '', outputs: {}, used: [] };
  for (const [n, step] of action.runs.steps.entries()) {
    if (step.if !== undefined && !isTrue(filled(step.if, values, steps))) continue;
    if (step.uses !== undefined) {
      ran.used.push({ uses: step.uses, with: filledAll(step.with ?? {}, values, steps) });
      continue;
    }
    const outputFile = join(temp, `output-${n}`);
    writeFileSync(outputFile, '');
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run ?? ''],
      {
        cwd: workspace,
        encoding: 'utf8',
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          npm_config_cache: join(temp, 'npm-cache'),
          CI: 'true',
          GITHUB_ACTIONS: 'true',
          GITHUB_WORKSPACE: workspace,
          GITHUB_OUTPUT: outputFile,
          GITHUB_STEP_SUMMARY: summaryFile,
          RUNNER_TEMP: temp,
          ...filledAll(step.env ?? {}, values, steps),
        },
      },
    );
    ran.log += stdout + stderr;
    if (step.id !== undefined) steps[step.id] = readOutputs(outputFile);
    if (status !== 0) {
      ran.outcome = 'failure';
      break;
    }
  }
  ran.summary = readFileSync(summaryFile, 'utf8');
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, filled(value, values, steps)]);
  ran.outputs = Object.fromEntries(outputs);
  return ran;
}

function readOutputs(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

function filledAll(texts: object, values: Values, steps: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, filled(String(text), values, steps)]));
}

/** Every `${{ … }}` by its value. */
function filled(text: string, values: Values, steps: Values): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => evaluate(expression, values, steps));
}

/** Comparisons of values and quoted texts, joined by `&&`. */
function evaluate(expression: string, values: Values, steps: Values): string {
  const parts = expression.split('&&').map((part) => {
    const [left = '', operator, right = ''] = part.split(/(==|!=)/).map((one) => one.trim());
    if (operator === undefined) return valueIn(left, values, steps);
    return String((valueIn(left, values, steps) === valueIn(right, values, steps)) === (operator === '=='));
  });
  return parts.length === 1 ? (parts[0] as string) : String(parts.every(isTrue));
}

function valueIn(word: string, values: Values, steps: Values): string {
  const quoted = /^'(.*)'$/.exec(word);
  if (quoted !== null) return quoted[1] as string;
  const [scope = '', name = '', , output = ''] = word.split('.');
  if (scope === 'steps') return steps[name]?.[output] ?? '';
  const value = values[scope]?.[name];
  if (value === undefined) throw new Error(`nobody knows ${word}`);
  return value;
}

function isTrue(value: string): boolean {
  return value !== '' && value !== 'false';
}
