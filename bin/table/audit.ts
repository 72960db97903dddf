// Rows of `fieldguide audit`: what `fieldguide serve --audit` wrote, checked and shown.

import type { Group } from '../command.ts';
import { JSON_OUT } from '../options.ts';

const FILE = { written: '<file>', least: 1, most: 1 };

export const AUDIT: Group = {
  name: 'audit',
  summary: 'check and show who read what',
  examples: [
    { line: 'fieldguide audit show audit.log', does: 'who read what, how often, from which bundle' },
    { line: 'fieldguide audit verify audit.log', does: 'whether anything was edited, removed, swapped or cut' },
  ],
  commands: [
    {
      name: 'audit verify',
      summary: 'check that nothing in an audit was edited, removed, swapped or cut',
      takes: FILE,
      options: [JSON_OUT],
      examples: [{ line: 'fieldguide audit verify audit.log', does: 'with the heads beside it, audit.log.heads' }],
      run: async (args) => (await import('../commands/audit-verify.ts')).auditVerify(args),
    },
    {
      name: 'audit show',
      summary: 'show who read what, how often, when last and from which bundle',
      takes: FILE,
      options: [
        { name: 'session', value: 'id', about: 'everything that one session asked for, in time' },
        { name: 'agent', value: 'name', about: 'only what this agent asked for' },
        {
          name: 'by',
          value: 'what',
          about: 'one row for each uri, agent, session, method, outcome or digest',
          choices: ['uri', 'agent', 'session', 'method', 'outcome', 'digest'],
        },
        JSON_OUT,
      ],
      examples: [
        { line: 'fieldguide audit show audit.log', does: 'by agent, URI and outcome, the most frequent first' },
        { line: 'fieldguide audit show audit.log --by uri', does: 'which documents are read, and which are refused' },
        { line: 'fieldguide audit show audit.log --session 3f2a9c01', does: 'the receipt of one session' },
      ],
      run: async (args) => (await import('../commands/audit-show.ts')).auditShow(args),
    },
  ],
};
