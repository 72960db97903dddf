// An edit that only adds: pieces of text, each at a place of the text before.

export type Insertion = { at: number; text: string };

/** Pieces for one place stand in the order in which they are given. */
export function withInsertions(text: string, pieces: readonly Insertion[]): string {
  let at = 0;
  let whole = '';
  for (const piece of [...pieces].sort((a, b) => a.at - b.at)) {
    whole += text.slice(at, piece.at) + piece.text;
    at = piece.at;
  }
  return whole + text.slice(at);
}
