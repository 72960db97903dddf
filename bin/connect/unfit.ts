// A configuration that must be left alone, and where the trouble is. Known by its name: lazy files have
// copies of the class.

export type TextPlace = { line: number; column: number };

export class Unfit extends Error {
  override readonly name = 'Unfit';
  readonly at: TextPlace | undefined;

  constructor(what: string, at?: TextPlace) {
    super(what);
    this.at = at;
  }
}

export function isUnfit(error: unknown): error is Unfit {
  return error instanceof Error && error.name === 'Unfit';
}

export function placeAt(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
