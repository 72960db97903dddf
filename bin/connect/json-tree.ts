// Reads JSON with places, exactly as tolerant as the client that owns the file; whatever the client would not
// read is refused with its line and column.

import {
  createScanner,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser/lib/esm/main.js';
import type { Syntax } from './clients.ts';
import { placeAt, Unfit } from './unfit.ts';

export type JsonSyntax = Extract<Syntax, { kind: 'json' }>;

/** An object, its members in order, and where its braces are. */
export type JsonObject = { open: number; close: number; members: readonly Member[] };

export type Member = { name: string; from: number; value: Node; to: number };

export function parseRoot(text: string, syntax: JsonSyntax): JsonObject {
  if (text.trim() === '') throw new Unfit('is empty; delete it, or write {} into it');
  const errors: ParseError[] = [];
  const root = parsed(text, errors, syntax);
  const [error] = errors;
  if (error !== undefined) throw new Unfit(`does not parse: ${whatIsWrong(error)}`, placeAt(text, error.offset));
  if (root?.type !== 'object') throw new Unfit('does not hold an object', placeAt(text, root?.offset ?? 0));
  return objectAt(root);
}

function parsed(text: string, errors: ParseError[], syntax: JsonSyntax): Node | undefined {
  try {
    return parseTree(text, errors, {
      disallowComments: !syntax.comments,
      allowTrailingComma: syntax.trailingCommas,
    });
  } catch (error) {
    if (error instanceof RangeError) throw new Unfit('is nested too deeply');
    throw error;
  }
}

function whatIsWrong({ error }: ParseError): string {
  const name = printParseErrorCode(error);
  if (name === 'InvalidCommentToken') return 'a comment, which this client does not read';
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
  return words.endsWith('expected') ? `${words} here` : words;
}

export function objectAt(node: Node): JsonObject {
  const members = (node.children ?? []).map((property): Member => {
    const [key, value] = property.children as [Node, Node];
    return { name: key.value, from: key.offset, value, to: value.offset + value.length };
  });
  return { open: node.offset, close: node.offset + node.length - 1, members };
}

/** A name that stands twice means different things to different readers. */
export function findMember(text: string, object: JsonObject, name: string): Member | undefined {
  const [member, second] = object.members.filter((candidate) => candidate.name === name);
  if (second !== undefined) throw new Unfit(`has "${name}" twice`, placeAt(text, second.from));
  return member;
}

export function objectOf(text: string, member: Member): JsonObject {
  if (member.value.type === 'object') return objectAt(member.value);
  throw new Unfit(`has no object under "${member.name}"`, placeAt(text, member.value.offset));
}

/** Where the comma after a value is, if there is one; comments may stand between. */
export function findComma(text: string, after: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(after);
  scanner.scan();
  const offset = scanner.getTokenOffset();
  return text[offset] === ',' ? offset : undefined;
}
