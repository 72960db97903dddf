// Random files of the shape of project.yaml, in the styles that YAML allows: block and flow, every indentation,
// comments and blank lines anywhere, each kind of quotation, both line ends, with and without a last line break.

type Below = (below: number) => number;
type Value = string | Value[] | { [key: string]: Value } | undefined;

const TEXTS = [
  'one',
  'two words',
  'a: b',
  '# x',
  "it's",
  'say "so"',
  'tab\there',
  'über',
  'true',
  '12',
  '- x',
  'a, b',
  ' lead',
];
const NAMES = ['auth', 'users', 'the web', 'größe', 'x-1', '7', 'a/b'];

export function randomProject(below: Below): { text: string; names: string[] } {
  return new Styler(below).file();
}

class Styler {
  readonly #below: Below;
  readonly #eol: string;
  readonly #step: number;
  readonly #dash: number;

  constructor(below: Below) {
    this.#below = below;
    this.#eol = this.#oneIn(4) ? '\r\n' : '\n';
    this.#step = 1 + below(4);
    this.#dash = this.#oneIn(2) ? 0 : 1 + below(4);
  }

  file(): { text: string; names: string[] } {
    const names = NAMES.filter(() => this.#oneIn(2));
    const modules = Object.fromEntries(names.map((name) => [name, this.#module()]));
    const sections: [string, Value][] = [
      ['version', '1.0'],
      ['project', { name: this.#text(), ...this.#maybe({ description: this.#text() }) }],
      ...(this.#oneIn(2) ? [['x-free', { a: ['1', { b: undefined }], c: this.#text() }] as [string, Value]] : []),
      ...(names.length === 0 && this.#oneIn(2)
        ? []
        : [['modules', names.length === 0 && this.#oneIn(2) ? undefined : modules] as [string, Value]]),
      ...(this.#oneIn(2) ? [['files', ['a.md']] as [string, Value]] : []),
    ];
    const root = Object.fromEntries(sections);
    const flow = this.#oneIn(8);
    const body = flow ? `${this.#flow(root, 0)}${this.#eol}` : this.#block(root, 0);
    const start = this.#pick(['', '', '# first', '---', '%YAML 1.2\n---', '# a\n--- # b']).replaceAll('\n', this.#eol);
    const end = this.#pick(['', '', '# last', '...', '', '# x\n\n']).replaceAll('\n', this.#eol);
    const text = `${start === '' ? '' : start + this.#eol}${body}${end === '' ? '' : end + this.#eol}`;
    return { text: this.#oneIn(4) ? text.replace(/(?:\r?\n)+$/, '') : text, names };
  }

  #module(): Value {
    if (this.#oneIn(6)) return undefined;
    if (this.#oneIn(6)) return {};
    const lists = { patterns: this.#texts(), businessRules: this.#texts(), commonIssues: this.#issues() };
    const others = { description: this.#text(), dependencies: [] };
    const all = Object.entries({ ...lists, ...others }).filter(() => this.#oneIn(2));
    return Object.fromEntries(this.#oneIn(2) ? all : all.reverse());
  }

  #texts(): Value {
    if (this.#oneIn(4)) return undefined;
    return Array.from({ length: this.#below(4) }, () => this.#text());
  }

  #issues(): Value {
    if (this.#oneIn(4)) return undefined;
    return Array.from({ length: this.#below(3) }, () => ({
      description: this.#text(),
      ...this.#maybe({ solution: this.#text() }),
    }));
  }

  /** Lines of a map whose keys stand at a column. */
  #block(map: { [key: string]: Value }, column: number): string {
    return Object.entries(map)
      .map(
        ([key, value]) =>
          `${this.#between(column)}${' '.repeat(column)}${this.#key(key)}:${this.#value(value, column)}`,
      )
      .join('');
  }

  /** Behind the colon of a key that stands at a column. */
  #value(value: Value, column: number): string {
    const end = this.#lineEnd();
    if (value === undefined) return end;
    if (typeof value === 'string')
      return value !== '1.0' && this.#oneIn(6) ? this.#long(value, column) : ` ${this.#scalar(value, false)}${end}`;
    const isEmpty = Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
    if (isEmpty || this.#oneIn(3)) return ` ${this.#flow(value, column + 1)}${end}`;
    if (!Array.isArray(value)) return `${end}${this.#block(value, column + this.#step)}`;
    const at = column + this.#dash;
    return end + value.map((item) => `${this.#between(at)}${' '.repeat(at)}- ${this.#item(item, at + 2)}`).join('');
  }

  #item(item: Value, column: number): string {
    if (typeof item === 'string') return `${this.#scalar(item, false)}${this.#lineEnd()}`;
    if (item === undefined || Array.isArray(item) || this.#oneIn(3))
      return `${this.#flow(item, column)}${this.#lineEnd()}`;
    return this.#block(item, column)
      .trimStart()
      .replace(/^(?:#[^\n]*\n|\s)+/, '');
  }

  #flow(value: Value, column: number): string {
    if (value === undefined) return 'null';
    if (typeof value === 'string') return this.#scalar(value, true);
    const [open, close] = Array.isArray(value) ? '[]' : '{}';
    const parts = Array.isArray(value)
      ? value.map((one) => this.#flow(one, column + 1))
      : Object.entries(value).map(
          ([key, one]) => `${this.#key(key)}:${one === undefined ? '' : ` ${this.#flow(one, column + 1)}`}`,
        );
    if (parts.length === 0) return `${open}${this.#pick(['', ' '])}${close}`;
    const comma = this.#oneIn(4) ? ',' : '';
    if (this.#oneIn(2)) {
      const space = this.#pick(['', ' ']);
      return `${open}${space}${parts.join(this.#pick([', ', ' , ']))}${comma}${space}${close}`;
    }
    const indent = `${this.#eol}${' '.repeat(column + 1 + this.#below(3))}`;
    const lines = parts.map((part, n) => `${indent}${part}${n < parts.length - 1 ? ',' : comma}${this.#comment()}`);
    return `${open}${this.#comment()}${lines.join('')}${this.#eol}${' '.repeat(column)}${close}`;
  }

  #scalar(text: string, isInline: boolean): string {
    const isPlain = /^[a-zü][\w ü/]*$/.test(text) && text !== 'true';
    const way = this.#below(3);
    if (isPlain && way === 0) return text;
    if (way === 1 || (!isInline && way === 0)) return `'${text.replaceAll("'", "''")}'`;
    return JSON.stringify(text).replaceAll('\\t', '\t');
  }

  /** A literal or folded text on lines of its own. */
  #long(text: string, column: number): string {
    const head = this.#pick(['|', '>', '|-', '>-', '|+']);
    const indent = ' '.repeat(column + 1 + this.#below(3));
    const tail = this.#pick(['', '', this.#eol, this.#eol + this.#eol]);
    return ` ${head}${this.#comment()}${this.#eol}${indent}${text.trim()}${this.#eol}${indent}second${this.#eol}${tail}`;
  }

  #key(key: string): string {
    return /^[\w-]+$/.test(key) && !this.#oneIn(5) ? key : JSON.stringify(key);
  }

  #between(column: number): string {
    if (!this.#oneIn(5)) return '';
    return this.#pick([
      this.#eol,
      `${' '.repeat(column)}# a comment, of: [something]${this.#eol}`,
      `# far left${this.#eol}`,
    ]);
  }

  #lineEnd(): string {
    return `${this.#pick(['', '', '', ' ', '\t'])}${this.#comment()}${this.#eol}`;
  }

  #comment(): string {
    return this.#oneIn(6) ? '  # why: [x, y]' : '';
  }

  #text(): string {
    return this.#pick(TEXTS);
  }

  #maybe<T extends object>(value: T): Partial<T> {
    return this.#oneIn(2) ? value : {};
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.#below(all.length)] as T;
  }

  #oneIn(count: number): boolean {
    return this.#below(count) === 0;
  }
}
