// What Cargo.toml tells, of one crate or of a workspace.

import { foreignName, foreignSentence } from './foreign-text.ts';
import type { Found, Kind, Member } from './found.ts';
import { knownIn } from './known-technology.ts';
import { entriesOf, keysOf, textOf, textsOf, under } from './outside-values.ts';
import { joined, type Survey } from './survey.ts';
import { workspaceFolders } from './workspace.ts';

const MANIFEST = 'Cargo.toml';

export async function findRust(survey: Survey): Promise<Found | undefined> {
  const root = await survey.toml(MANIFEST);
  if (root === undefined) return undefined;
  const members: Member[] = [];
  const crates: { folder: string; value: unknown }[] = [{ folder: '', value: root }];
  const excluded = textsOf(under(root, 'workspace', 'exclude')).map((pattern) => `!${pattern}`);
  const patterns = [...textsOf(under(root, 'workspace', 'members')), ...excluded];
  for (const folder of workspaceFolders(survey, patterns, MANIFEST)) {
    const value = await survey.toml(joined(folder, MANIFEST));
    if (value === undefined) continue;
    crates.push({ folder, value });
    members.push(memberOf(folder, value));
  }
  const { stack, kinds } = knownIn(
    'RUST',
    crates.flatMap(({ value }) => dependenciesOf(value)),
  );
  const name = foreignName(under(root, 'package', 'name'));
  const description = foreignSentence(under(root, 'package', 'description'));
  const version = foreignName(
    under(root, 'package', 'rust-version') ?? under(root, 'workspace', 'package', 'rust-version'),
  );
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    stack: ['Rust', ...stack],
    kinds: [...kinds, ...crates.flatMap(({ folder, value }) => crateKinds(survey, folder, value))],
    ...(version === undefined ? {} : { runtime: `Rust ${version}` }),
    packageManager: 'cargo',
    commands: ['cargo build', 'cargo test'],
    members,
    isMonorepo: members.length > 0,
  };
}

/** Direct dependencies of every kind, by the name of the crate. */
function dependenciesOf(value: unknown): string[] {
  const groups = ['dependencies', 'dev-dependencies', 'build-dependencies'].map((key) => under(value, key));
  return [...groups, under(value, 'workspace', 'dependencies')].flatMap((group) =>
    entriesOf(group).map(([name, how]) => textOf(under(how, 'package')) ?? name),
  );
}

function crateKinds(survey: Survey, folder: string, value: unknown): Kind[] {
  const isProgram = survey.isFile(joined(folder, 'src/main.rs')) || keysOf(under(value, 'bin')).length > 0;
  const isLibrary = survey.isFile(joined(folder, 'src/lib.rs'));
  return [...(isProgram ? (['program'] as const) : []), ...(isLibrary ? (['library'] as const) : [])];
}

function memberOf(folder: string, value: unknown): Member {
  const packageName = textOf(under(value, 'package', 'name'));
  const description = foreignSentence(under(value, 'package', 'description'));
  return {
    folder,
    ...(packageName === undefined ? {} : { packageName }),
    ...(description === undefined ? {} : { description }),
    entries: ['src/lib.rs', 'src/main.rs'].map((path) => joined(folder, path)),
    manifest: joined(folder, MANIFEST),
    needs: dependenciesOf(value),
  };
}
