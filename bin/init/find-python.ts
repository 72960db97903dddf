// What pyproject.toml, setup.cfg and requirements.txt tell.

import { foreignName, foreignSentence } from './foreign-text.ts';
import type { Found, Kind, Member } from './found.ts';
import { knownIn } from './known-technology.ts';
import { entriesOf, keysOf, textOf, textsOf, under } from './outside-values.ts';
import { joined, type Survey } from './survey.ts';
import { workspaceFolders } from './workspace.ts';

const MANIFEST = 'pyproject.toml';
const REQUIREMENTS = 'requirements.txt';
const MANIFESTS = [MANIFEST, 'setup.cfg', 'setup.py', REQUIREMENTS, 'Pipfile'];

export async function findPython(survey: Survey): Promise<Found | undefined> {
  if (!MANIFESTS.some((file) => survey.isTaken(file))) return undefined;
  const root = await survey.toml(MANIFEST);
  const members = await membersOf(survey, root);
  const setup = survey.text('setup.cfg') ?? '';
  const required = (survey.text(REQUIREMENTS) ?? '').split('\n').map(packageIn);
  const dependencies = [...dependenciesOf(root), ...required, ...members.flatMap(({ needs }) => needs)];
  const { stack, kinds } = knownIn('PYTHON', dependencies);
  const manager = managerOf(survey, root);
  const name = foreignName(stated(root, 'name') ?? iniValue(setup, 'name'));
  const description = foreignSentence(stated(root, 'description') ?? iniValue(setup, 'description'));
  const runtime = foreignName(
    under(root, 'project', 'requires-python') ?? under(root, 'tool', 'poetry', 'dependencies', 'python'),
  );
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    stack: ['Python', ...stack],
    kinds: [...scriptKinds(root), ...kinds, ...libraryKinds(root)],
    runtime: runtime === undefined ? 'Python' : `Python ${runtime}`,
    packageManager: manager,
    commands: commandsOf(survey, manager, dependencies.includes('pytest')),
    members,
    isMonorepo: members.length > 0,
  };
}

/** A key of [project], or of [tool.poetry] where that is older. */
function stated(value: unknown, key: string): unknown {
  return under(value, 'project', key) ?? under(value, 'tool', 'poetry', key);
}

function scriptKinds(root: unknown): Kind[] {
  return keysOf(stated(root, 'scripts')).length > 0 ? ['cli'] : [];
}

function libraryKinds(root: unknown): Kind[] {
  return under(root, 'build-system') !== undefined && stated(root, 'name') !== undefined ? ['library'] : [];
}

function dependenciesOf(value: unknown): string[] {
  const lists = [
    under(value, 'project', 'dependencies'),
    ...entriesOf(under(value, 'project', 'optional-dependencies')).map(([, list]) => list),
    ...entriesOf(under(value, 'dependency-groups')).map(([, list]) => list),
    under(value, 'tool', 'uv', 'dev-dependencies'),
  ];
  const poetry = under(value, 'tool', 'poetry');
  const tables = [
    under(poetry, 'dependencies'),
    under(poetry, 'dev-dependencies'),
    ...entriesOf(under(poetry, 'group')).map(([, group]) => under(group, 'dependencies')),
  ];
  return [...lists.flatMap(textsOf).map(packageIn), ...tables.flatMap(keysOf).map((name) => name.toLowerCase())];
}

/** `Django>=4 ; python_version > "3"` → `django`; nothing for a comment or an option. */
function packageIn(requirement: string): string {
  return /^\s*([A-Za-z0-9][\w.-]*)/.exec(requirement.slice(0, 200))?.[1]?.toLowerCase().replace(/_/g, '-') ?? '';
}

function managerOf(survey: Survey, root: unknown): string {
  const has = (file: string, tool: string): boolean => survey.isTaken(file) || under(root, 'tool', tool) !== undefined;
  if (has('uv.lock', 'uv')) return 'uv';
  if (has('poetry.lock', 'poetry')) return 'poetry';
  if (has('pdm.lock', 'pdm')) return 'pdm';
  return survey.isTaken('Pipfile') ? 'pipenv' : 'pip';
}

function commandsOf(survey: Survey, manager: string, hasPytest: boolean): string[] {
  const install: Record<string, string> = {
    uv: 'uv sync',
    poetry: 'poetry install',
    pdm: 'pdm install',
    pipenv: 'pipenv install --dev',
    pip: survey.isFile(REQUIREMENTS) ? `pip install -r ${REQUIREMENTS}` : 'pip install -e .',
  };
  const test = manager === 'pip' ? 'pytest' : `${manager} run pytest`;
  return [install[manager] as string, ...(hasPytest ? [test] : [])];
}

/** A value of setup.cfg's [metadata]; values that go on over lines, or name a file, are left. */
function iniValue(text: string, key: string): string | undefined {
  const section = /^\[metadata\]\s*$([\s\S]*?)(?=^\[|(?![\s\S]))/m.exec(text.slice(0, 50_000))?.[1] ?? '';
  const value = new RegExp(`^${key}[ \\t]*=[ \\t]*(.+)$`, 'm').exec(section)?.[1]?.trim();
  return value?.startsWith('file:') ? undefined : textOf(value);
}

async function membersOf(survey: Survey, root: unknown): Promise<Member[]> {
  const { members: patterns, exclude } = {
    members: textsOf(under(root, 'tool', 'uv', 'workspace', 'members')),
    exclude: textsOf(under(root, 'tool', 'uv', 'workspace', 'exclude')),
  };
  const folders = workspaceFolders(survey, [...patterns, ...exclude.map((pattern) => `!${pattern}`)], MANIFEST);
  const members: Member[] = [];
  for (const folder of folders) {
    const manifest = joined(folder, MANIFEST);
    const value = await survey.toml(manifest);
    if (value === undefined) continue;
    const packageName = textOf(stated(value, 'name'))?.toLowerCase().replace(/_/g, '-');
    const description = foreignSentence(stated(value, 'description'));
    const imported = packageName?.replace(/-/g, '_') ?? '';
    members.push({
      folder,
      ...(packageName === undefined ? {} : { packageName }),
      ...(description === undefined ? {} : { description }),
      entries: /^\w+$/.test(imported)
        ? [`src/${imported}/__init__.py`, `${imported}/__init__.py`].map((path) => joined(folder, path))
        : [],
      manifest,
      needs: dependenciesOf(value),
    });
  }
  return members;
}
