// What a value may look like, as data. One definition serves three ends: checking a file with exact
// places (check.ts), the JSON Schema that editors use, and the suggestions for a slip.

export type Shape =
  | { type: 'text'; about: string; known?: readonly string[]; most?: number }
  | { type: 'size'; about: string }
  | { type: 'number'; about: string; least: number; most: number }
  | { type: 'tokens'; about: string }
  | { type: 'flag'; about: string }
  | { type: 'duration'; about: string }
  | { type: 'either'; about: string; plain: Shape; else: Shape }
  | { type: 'list'; about: string; of: Shape }
  | { type: 'names'; about: string; of: Shape }
  | { type: 'map'; about: string; keys: Readonly<Record<string, Shape>>; required?: readonly string[] };

export function text(about: string, known?: readonly string[]): Shape {
  return known === undefined ? { type: 'text', about } : { type: 'text', about, known };
}

export function size(about: string): Shape {
  return { type: 'size', about };
}

export function number(about: string, least: number, most: number): Shape {
  return { type: 'number', about, least, most };
}

export function tokens(about: string): Shape {
  return { type: 'tokens', about };
}

export function flag(about: string): Shape {
  return { type: 'flag', about };
}

export function duration(about: string): Shape {
  return { type: 'duration', about };
}

/** `plain` where a plain value is written, the other where a list or a map is. */
export function either(about: string, plain: Shape, other: Shape): Shape {
  return { type: 'either', about, plain, else: other };
}

export function list(about: string, of: Shape): Shape {
  return { type: 'list', about, of };
}

/** A map from names of the author's choice to values of one shape. */
export function names(about: string, of: Shape): Shape {
  return { type: 'names', about, of };
}

export function map(about: string, keys: Record<string, Shape>, required: readonly string[] = []): Shape {
  return { type: 'map', about, keys, required };
}

/** What is expected, for a message: `a list`, `a size such as 50KB`. */
export function expected(shape: Shape): string {
  switch (shape.type) {
    case 'text':
      return 'a text';
    case 'size':
      return 'a size of at least 1KB, such as 50KB, or a number of bytes';
    case 'number':
      return `a whole number from ${shape.least} to ${shape.most}`;
    case 'tokens':
      return 'a number of tokens, such as 8k or 8000';
    case 'flag':
      return 'true or false';
    case 'duration':
      return 'a duration such as 10s, 500ms or 2m';
    case 'either':
      return `${expected(shape.plain)}, or ${expected(shape.else)}`;
    case 'list':
      return 'a list';
    case 'names':
      return 'a map from names to values';
    case 'map':
      return `a map with the keys ${Object.keys(shape.keys).join(', ')}`;
  }
}

/** The same definition as a JSON Schema, for editors. Known values are suggestions, not limits. */
export function jsonSchema(shape: Shape): Record<string, unknown> {
  const description = shape.about;
  switch (shape.type) {
    case 'text':
      return { description, type: ['string', 'number', 'boolean'], ...(shape.known ? { examples: shape.known } : {}) };
    case 'size':
      return {
        description,
        anyOf: [
          { type: 'integer', minimum: 1024 },
          { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)? ?([kK]|[mM])?[bB]?$' },
        ],
      };
    case 'number':
      return { description, type: 'integer', minimum: shape.least, maximum: shape.most };
    case 'tokens':
      return {
        description,
        anyOf: [
          { type: 'integer', minimum: 1 },
          { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)? ?[kKmM]?( tokens)?$' },
        ],
      };
    case 'flag':
      return { description, type: 'boolean' };
    case 'duration':
      return {
        description,
        anyOf: [
          { type: 'number', minimum: 0 },
          { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)? ?(ms|s|m|min|h)$' },
        ],
      };
    case 'either':
      return { description, anyOf: [jsonSchema(shape.plain), jsonSchema(shape.else)] };
    case 'list':
      return { description, type: 'array', items: jsonSchema(shape.of) };
    case 'names':
      return { description, type: 'object', additionalProperties: jsonSchema(shape.of) };
    case 'map':
      return {
        description,
        type: 'object',
        properties: Object.fromEntries(Object.entries(shape.keys).map(([key, of]) => [key, jsonSchema(of)])),
        patternProperties: { '^x-': {} },
        additionalProperties: false,
        ...(shape.required?.length ? { required: shape.required } : {}),
      };
  }
}
