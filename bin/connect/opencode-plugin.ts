// opencode has no hooks but plugins: a file of JavaScript that it loads itself. Ours is a file of its own, known
// by its first line, which tells `session hook` of a session and of the files that a tool names. opencode hands
// it contents, too; those go nowhere.

import { Unfit } from './unfit.ts';

const FIRST_LINE = '// Written by `fieldguide connect opencode`; what is changed here is lost when it runs again.\n';

export function pluginText(words: readonly string[]): string {
  return `${FIRST_LINE}
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [command, ...args] = ${JSON.stringify([...words, 'session', 'hook', '--agent', 'opencode'])};
const cwd = fileURLToPath(new URL('../..', import.meta.url));

function tell(payload) {
  const child = spawn(command, args, { cwd, stdio: ['pipe', 'ignore', 'ignore'] });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(payload));
}

export const Fieldguide = async ({ directory }) => {
  const parents = new Map();
  return {
    event: async ({ event }) => {
      if (event.type !== 'session.created') return;
      const { id, parentID } = event.properties.info;
      if (parentID) parents.set(id, parents.get(parentID) ?? parentID);
      else tell({ hook_event_name: 'SessionStart', session_id: id, cwd: directory });
    },
    'tool.execute.after': async ({ tool, sessionID, callID, args: given }) => {
      tell({
        hook_event_name: 'PostToolUse',
        session_id: parents.get(sessionID) ?? sessionID,
        cwd: directory,
        tool_name: tool,
        tool_use_id: callID,
        tool_input: { filePath: given?.filePath, patch: given?.patchText },
      });
    },
  };
};
`;
}

export function isPlugin(text: string): boolean {
  return text.startsWith(FIRST_LINE);
}

export function withPlugin(before: string | undefined, words: readonly string[]): string {
  if (before === undefined || isPlugin(before)) return pluginText(words);
  throw new Unfit('is a plugin of somebody else');
}

export function withoutPlugin(text: string | undefined): string | undefined {
  return text !== undefined && isPlugin(text) ? undefined : text;
}
