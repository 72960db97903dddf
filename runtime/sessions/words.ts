// Times and counts as people read them.

const UNITS = [
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
] as const;

/** `2 hours 15 minutes`; the two largest units. */
export function durationInWords(ms: number): string {
  let minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  const words: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(minutes / size);
    minutes -= count * size;
    if (count > 0) words.push(counted(count, unit));
  }
  return words.slice(0, 2).join(' ');
}

/** `2025-01-15T10:00:00Z` */
export function timeInWords(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? 'unknown' : date.toISOString().replace(/\.\d+Z$/, 'Z');
}

export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** The part of a session's id that pages show. */
export function shortId(sessionId: string): string {
  return sessionId.slice(0, 8);
}
