// Output made for eyes: sizes, and colours only where a terminal shows them.

export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KB'] : [bytes / 1024 / 1024, 'MB'];
  return `${value.toFixed(1)} ${unit}`;
}

/** Texts of others as a terminal may show them: what would steer it is shown as a sign. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

const PAINTS = { red: 31, green: 32, yellow: 33, cyan: 36, dim: 2, bold: 1 } as const;

export type Paint = (colour: keyof typeof PAINTS, text: string) => string;

/** Plain unless the stream is a terminal and NO_COLOR is not set. */
export function painter(stream: { isTTY?: boolean }): Paint {
  if (stream.isTTY !== true || (process.env.NO_COLOR ?? '') !== '') return (_, text) => text;
  return (colour, text) => `\u001b[${PAINTS[colour]}m${text}\u001b[0m`;
}
