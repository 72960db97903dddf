// What to do next, for refusals that only a server on HTTP gives. The rest stands in the start file; these do not.

import type { FailureDetail } from '../failure.ts';

export const HTTP_ADVICE = {
  host: {
    hint: 'Ask for the server under its own name.',
    setup: 'Add the name under http: { hosts: [...] } in project.yaml and run `fieldguide build`.',
  },
  origin: {
    hint: 'Call the server from a program, or from a page that it knows.',
    setup: 'Add the origin under http: { origins: [...] } in project.yaml and run `fieldguide build`.',
  },
  token: {
    hint: 'Send Authorization: Bearer and the token of an agent.',
    setup: `Name a variable as token: \${NAME} of an agent in project.yaml, and set it where the server runs; then give the client the same token.`,
  },
  rate: {
    hint: 'Wait as long as Retry-After says.',
    setup: 'Raise limits.ratePerMinute in project.yaml and run `fieldguide build`.',
  },
  streams: { hint: 'Close streams that nobody reads; one stream can listen to many resources.' },
  body: { hint: 'Send a smaller request; what is read comes in pages.' },
  post: { hint: 'POST one JSON-RPC message to /mcp with Content-Type: application/json.' },
  headers: { hint: 'Send MCP-Protocol-Version, Mcp-Method and Mcp-Name as the body has them.' },
  handshake: { hint: 'Send initialize without Mcp-Session-Id; the answer carries the id of a new session.' },
  id: { hint: 'Give every request of a session an id of its own.' },
  path: { hint: 'MCP is at /mcp; /healthz and /metrics are beside it.' },
} as const satisfies Record<string, { hint: string; setup?: string }>;

export function adviseHttp(name: keyof typeof HTTP_ADVICE): Pick<FailureDetail, 'hint' | 'setup'> {
  return HTTP_ADVICE[name];
}
