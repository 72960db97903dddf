// A text of an author on one line, of bounded length, without characters that steer a terminal: what is shown
// in lists must not look like several entries.

/** On one line, of at most so many bytes. */
export function oneLine(value: string, most: number): string {
  const line = value.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (Buffer.byteLength(line) <= most) return line;
  let kept = '';
  let left = most - Buffer.byteLength('…');
  for (const character of line) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    kept += character;
  }
  return `${kept}…`;
}
