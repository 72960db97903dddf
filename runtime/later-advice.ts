// The rest of the table of advice: for refusals of what is loaded later. One table for whoever loads this file.

import { type Advice, type Advised, ADVICE as FIRST, toldFirst } from './advice.ts';

import { HELP_URI, OVERVIEW_URI } from './ways-in.ts';

const BUILD = 'run `fieldguide build`';

export const ADVICE = {
  ...FIRST,
  session: {
    hint: 'context://sessions/recent has the sessions before.',
    setup:
      'Run `fieldguide session start`, or `fieldguide connect <client>`, which writes hooks that record by themselves.',
    docs: 'context://sessions/recent',
  },
  store: {
    hint: `Go on without live data: ${OVERVIEW_URI} and the guide are not affected.`,
    setup: 'Check the folder .fieldguide at the root of the project: who owns it, and whether the disk is full.',
    docs: OVERVIEW_URI,
  },
  database: {
    hint: `Go on without live data, and try again: ${OVERVIEW_URI} and the guide are not affected.`,
    setup: 'Check the database that sessions: { store } in project.yaml names; this server takes it up by itself.',
    docs: OVERVIEW_URI,
  },
  address: {
    hint: `Go on without live data: ${OVERVIEW_URI} and the guide are not affected.`,
    setup:
      'Set the variable that sessions: { store } in project.yaml names to postgres://…, or give --store, and start again.',
    docs: OVERVIEW_URI,
  },
  audit: {
    hint: `Nothing was changed; reading is not affected: ${OVERVIEW_URI}. Ask a person to look at the audit of this server.`,
    setup: 'Make room for the file that --audit names, or put it back in its place; the server goes on by itself.',
    docs: OVERVIEW_URI,
  },
  topic: { hint: 'Give one line of 1 to 200 characters that a person can read.', docs: 'context://sessions/recent' },
  secret: {
    hint: 'Leave the value out; say where it is kept instead.',
    setup: 'Make a new one if the old one was shown to somebody.',
    docs: 'context://sessions/recent',
  },
  path: { hint: 'Give the path from the root of the repository, such as src/index.ts.', docs: OVERVIEW_URI },
  category: {
    hint: `${HELP_URI} names every category and collection.`,
    setup: `A folder with markdown under the guide's root, or an entry under guide: in project.yaml; then ${BUILD}.`,
    docs: HELP_URI,
  },
  document: {
    hint: `${HELP_URI} shows how documents are named; resources/list shows each.`,
    setup: `Put the document into the folder of its category and ${BUILD}.`,
    docs: HELP_URI,
  },
  pattern: { hint: `${HELP_URI} shows what a pattern may hold.`, docs: HELP_URI },
  noGuide: {
    hint: `There is no guide in this bundle; ${OVERVIEW_URI} is always there.`,
    setup: `Put markdown into content/, a folder for each category, and ${BUILD}.`,
    docs: OVERVIEW_URI,
  },
  respond: { hint: 'Send {"request_id": "…", "approved": true}, with the id that the call of the tool gave.' },
  discovery: { hint: 'Say in 10 to 1000 characters what was learned; a solution and a module are optional.' },
  approvalAgain: {
    hint: 'Call the tool again without approval_request_id: that makes a new request.',
    docs: 'context://discoveries',
  },
  approvalChanged: {
    hint: 'Call it with exactly the arguments that were approved, or without approval_request_id for a new request.',
    docs: 'context://discoveries',
  },
  approvalDenied: {
    hint: 'Ask the user what to change; a new call makes a new request.',
    docs: 'context://discoveries',
  },
  approvalWaiting: {
    hint: 'Wait: the user answers in the client, or on a terminal with `fieldguide session approve`.',
    setup: 'Tools that need no question stand under approval: { allow: [record_discovery] } in project.yaml.',
    docs: 'context://discoveries',
  },
  listen: {
    hint: 'Send {"notifications":{"resourcesListChanged":true,"resourceSubscriptions":["context://session/current"]}}.',
  },
  subscriptions: { hint: 'Unsubscribe from what is no longer needed; a changed list is told without a subscription.' },
  template: { hint: 'resources/templates/list shows the templates there are.' },
  argument: { hint: 'resources/templates/list and prompts/list show the arguments there are.' },
  prompt: { hint: 'prompts/list shows the prompts there are.', docs: OVERVIEW_URI },
  promptArguments: { hint: 'prompts/list shows what each prompt takes.', docs: OVERVIEW_URI },
  tool: { hint: 'tools/list shows the tools there are.', docs: OVERVIEW_URI },
  toolArguments: { hint: 'tools/list shows what each tool takes.', docs: OVERVIEW_URI },
  upstream: {
    hint: 'Go on without this group; reading upstream://{group} says how it is, and a failed one is tried again by itself.',
    setup: 'Check its entry under upstreams: in project.yaml, and what the log of this server says of it.',
    docs: OVERVIEW_URI,
  },
  upstreamGroup: {
    hint: 'resources/list shows the groups there are.',
    setup: `Add the group under upstreams: in project.yaml and ${BUILD}.`,
    docs: OVERVIEW_URI,
  },
  upstreamTrust: {
    hint: 'Ask a person to run `fieldguide build` where project.yaml is.',
    setup: 'Run `fieldguide build` where project.yaml is, or start the server with --trust-upstreams.',
  },
  upstreamVariable: {
    hint: 'Ask a person to set the variable for this server.',
    setup: 'Set the variable in the environment that the client starts this server with, and start it again.',
  },
  upstreamFeature: {
    hint: 'resources/list shows what is served.',
    setup: `Set features: and resources: of the group under upstreams: in project.yaml and ${BUILD}.`,
    docs: OVERVIEW_URI,
  },
  upstreamSize: {
    hint: 'Ask for a smaller part of it, if that server has one.',
    setup: `Raise maxSize of the group under upstreams: in project.yaml and ${BUILD}.`,
    docs: OVERVIEW_URI,
  },
} as const satisfies Record<string, Advice>;

export type AdviceName = keyof typeof ADVICE;

/** The advice as it goes out; a near miss comes first. */
export function advise(name: AdviceName, near?: string | undefined): Advised {
  return toldFirst(ADVICE[name], near);
}
