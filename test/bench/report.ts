// What the benchmarks share: medians, ratios, tables, and which machine it was.

import { cpus, release, totalmem } from 'node:os';

export function machine(): string {
  const [cpu] = cpus();
  return `Machine: ${cpu?.model ?? 'unknown'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.version}.`;
}

export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |\n`;
  return line(head) + line(head.map((_, n) => (n === 0 ? '---' : '---:'))) + rows.map(line).join('');
}

function sorted(values: number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

export function median(values: number[]): number {
  return sorted(values)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function p10(values: number[]): number {
  return sorted(values)[Math.floor(values.length / 10)] ?? Number.NaN;
}

export function ratio(value: number, base: number): string {
  return `${(value / base).toFixed(2)}×`;
}

export function progress(line: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
}
