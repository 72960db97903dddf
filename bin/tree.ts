// URIs as a tree for eyes: what they share is written once, sizes stand in a column, and a folder says how
// many it holds and how large they are together.

import { type Paint, printable, size } from './terminal.ts';

export type Leaf = { uri: string; title?: string; size?: number };

type Branch = { name: string; leaf?: Leaf; children: Map<string, Branch> };

const MOST_NAME_WIDTH = 60;
const SIZE_WIDTH = 9;

/** One line for each resource, and for each folder of them. */
export function treeLines(leaves: readonly Leaf[], paint: Paint): string[] {
  const root: Branch = { name: '', children: new Map() };
  for (const leaf of leaves) plant(root, leaf);
  const rows = [...root.children.values()].flatMap((branch) => rowsOf(branch, 0));
  const width = rows.reduce((most, { label }) => Math.max(most, Math.min(MOST_NAME_WIDTH, label.length)), 0);
  return rows.map(({ label, bytes, about }) => {
    const length = (bytes === undefined ? '' : size(bytes)).padStart(SIZE_WIDTH);
    return `${label.padEnd(width)}  ${length}  ${paint('dim', about)}`.trimEnd();
  });
}

type Row = { label: string; bytes: number | undefined; about: string };

function plant(root: Branch, leaf: Leaf): void {
  const [, scheme = '', path = leaf.uri] = /^([a-z]+:\/\/)(.*)$/.exec(leaf.uri) ?? [];
  let branch = root;
  for (const name of [scheme, ...path.split('/')].filter((part) => part !== '')) {
    const next = branch.children.get(name) ?? { name, children: new Map() };
    branch.children.set(name, next);
    branch = next;
  }
  branch.leaf = leaf;
}

function rowsOf(branch: Branch, depth: number): Row[] {
  const { name, tip } = joinedWithOnlyChild(branch);
  const indent = '  '.repeat(depth);
  const children = [...tip.children.values()].flatMap((child) => rowsOf(child, depth + 1));
  const rows: Row[] = [];
  if (tip.leaf !== undefined) {
    const about = printable(tip.leaf.title ?? '');
    rows.push({ label: indent + decoded(name), bytes: tip.leaf.size, about });
  }
  if (children.length === 0) return rows;
  const { count, bytes } = totals(tip);
  const about = count === 1 ? '1 resource' : `${count.toLocaleString('en')} resources`;
  return [...rows, { label: `${indent}${decoded(name)}${name.endsWith('/') ? '' : '/'}`, bytes, about }, ...children];
}

/** A folder with a single folder in it is one line. */
function joinedWithOnlyChild(branch: Branch): { name: string; tip: Branch } {
  let { name } = branch;
  let tip = branch;
  while (tip.leaf === undefined && tip.children.size === 1) {
    const [child] = tip.children.values() as Iterable<Branch>;
    if (child === undefined) break;
    name += `${name.endsWith('/') ? '' : '/'}${child.name}`;
    tip = child;
  }
  return { name, tip };
}

function totals(branch: Branch): { count: number; bytes: number | undefined } {
  let count = 0;
  let bytes = 0;
  for (const child of branch.children.values()) {
    const inside = totals(child);
    count += inside.count + (child.leaf === undefined ? 0 : 1);
    bytes += (inside.bytes ?? 0) + (child.leaf?.size ?? 0);
  }
  return { count, bytes: bytes === 0 ? undefined : bytes };
}

function decoded(name: string): string {
  try {
    return printable(decodeURIComponent(name));
  } catch {
    return printable(name);
  }
}
