// Where live data is kept, from what project.yaml or the command line says: names of environment variables become
// their values here, when serving, and nowhere else.

import { StoreError } from './store.ts';

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const SCHEMA = /^[a-z_][a-z0-9_]{0,40}$/;
const USUAL_SCHEMA = 'fieldguide';

/** `schema` is ours, so that several projects share a database; the rest is for the client. */
export type DatabaseAddress = { url: string; schema: string };

/** Undefined: the journal. Throws StoreError, whose message repeats nothing but names. */
export function addressOf(written: string, env: NodeJS.ProcessEnv): DatabaseAddress | undefined {
  const said = written.replace(VARIABLE, (_, name: string) => variable(name, env)).trim();
  if (said === 'journal') return undefined;
  const checked = said.replace('@/', '@localhost/');
  if (!/^postgres(?:ql)?:\/\//.test(said) || !URL.canParse(checked)) {
    throw wrong('sessions: { store } is neither journal nor the address of a PostgreSQL database');
  }
  const schema = new URL(checked).searchParams.get('schema') ?? USUAL_SCHEMA;
  if (!SCHEMA.test(schema)) throw wrong('the schema in sessions: { store } is not a name of small letters');
  return { url: withoutSchema(said), schema };
}

function variable(name: string, env: NodeJS.ProcessEnv): string {
  const value = env[name];
  if (value !== undefined && value !== '') return value;
  throw wrong(`the environment variable ${name}, which sessions: { store } names, is not set`);
}

function wrong(what: string): StoreError {
  return new StoreError(what, 'EINVAL', 'address');
}

/** As it was written otherwise: passwords are easily damaged by writing them anew. */
function withoutSchema(url: string): string {
  const [before = '', query = ''] = url.split(/\?(.*)/s);
  const kept = query.split('&').filter((one) => one !== '' && !one.startsWith('schema='));
  return kept.length === 0 ? before : `${before}?${kept.join('&')}`;
}
