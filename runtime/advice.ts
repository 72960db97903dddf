// What to do next, for every refusal that a person or a model can mend: a table, so that a test can provoke each
// over the wire and follow it. Here is what the start file needs; later-advice.ts has the rest. `hint` is the next step, `setup` how a person makes it work,
// `docs` the resource that explains it.

import { Failure, type FailureDetail } from './failure.ts';
import { HELP_URI, OVERVIEW_URI } from './ways-in.ts';

/** As it goes out. */
export type Advised = Pick<FailureDetail, 'hint' | 'setup' | 'docs'>;

export type Advice = { hint: string; setup?: string; docs?: string };

const BUILD = 'run `fieldguide build`';

export const ADVICE = {
  module: {
    hint: `${OVERVIEW_URI} names every module.`,
    setup: `Add it under modules: in project.yaml and ${BUILD}.`,
    docs: OVERVIEW_URI,
  },
  page: { hint: 'Read it without ?page: every page names the next.', docs: OVERVIEW_URI },
  context: {
    hint: `Known forms: ${OVERVIEW_URI}, context://module/{name}, context://for/{path}, context://session/current, context://sessions/recent, context://discoveries.`,
    docs: OVERVIEW_URI,
  },
  scheme: { hint: `resources/list shows what is served; start with ${OVERVIEW_URI}.`, docs: OVERVIEW_URI },
  denied: {
    hint: 'resources/list shows what may be read.',
    setup: `Allow it under agents: in project.yaml and ${BUILD}.`,
    docs: OVERVIEW_URI,
  },
  uri: { hint: 'Use a URI as resources/list gives it.', docs: OVERVIEW_URI },
  guide: { hint: `${HELP_URI} names what there is, with examples.`, docs: HELP_URI },
  file: {
    hint: 'resources/list shows the files that are served.',
    setup: `Add the file under files: in project.yaml and ${BUILD}.`,
    docs: OVERVIEW_URI,
  },
  large: {
    hint: 'Open the file in the repository itself.',
    setup: `Raise limits.response in project.yaml and ${BUILD}.`,
    docs: OVERVIEW_URI,
  },
  cursor: { hint: 'List again without a cursor.', docs: OVERVIEW_URI },
  missingUri: { hint: 'resources/list shows the URIs there are.', docs: OVERVIEW_URI },
  bundle: {
    hint: 'Ask a person to run `fieldguide build` in the project; this server takes the bundle up by itself.',
    setup: 'Run `fieldguide build` where project.yaml is.',
  },
  permissions: {
    hint: 'Ask a person to check the permissions of the bundle and of its folder.',
    setup: 'Make the bundle readable for the user that the server runs as.',
  },
  digest: {
    hint: 'Ask a person to put the bundle with the required digest in its place; this server takes it up by itself.',
    setup:
      'Put the bundle with the required digest in its place, or start the server with the digest of this one as --require-digest; `fieldguide verify` prints it.',
  },
  method: { hint: 'resources/list, resources/read, prompts/list and tools/list are always there.' },
  envelope: {
    hint: 'A request without a handshake carries io.modelcontextprotocol/protocolVersion and io.modelcontextprotocol/clientCapabilities in params._meta.',
  },
} as const satisfies Record<string, Advice>;

/** The advice as it goes out; a near miss comes first. */
export function advise(name: keyof typeof ADVICE, near?: string | undefined): Advised {
  return toldFirst(ADVICE[name], near);
}

export function toldFirst(advice: Advice, near: string | undefined): Advised {
  return near === undefined ? advice : { ...advice, hint: `Did you mean ${near}? ${advice.hint}` };
}

/** The same for all that may not be read, whether it is there or not. */
export function accessDenied(uri: string): Failure {
  return new Failure('access_denied', 'Access denied', {
    uri,
    reason: 'This agent may not read it.',
    ...advise('denied'),
  });
}
