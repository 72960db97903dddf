// Live data as markdown, in labels and order that agents can rely on. Pure: what is shown is given.

import type { FileUse, Session } from './session.ts';
import { shown } from './shown.ts';
import type { Discovery } from './store.ts';
import { durationInWords, shortId, timeInWords } from './words.ts';

const MOST_FILES_SHOWN = 10;

export function currentPage(session: Session): string {
  const files = topFiles(session.files).flatMap(({ path, count, lastAt }) => [
    `### ${oneLine(path)}`,
    lines(`**Access Count:** ${count}`, `**Last Accessed:** ${timeInWords(lastAt)}`),
  ]);
  return page([
    '# Active Session',
    lines(...times(session)),
    `## Files Accessed (${session.fileCount})`,
    ...files,
    `## Topics (${session.topics.length})`,
    ...(session.topics.length === 0 ? [] : [session.topics.map((topic) => `- ${oneLine(topic)}`).join('\n')]),
    '## Activity Summary',
    `- **Tool Calls:** ${session.toolCalls}\n- **Discoveries:** ${session.discoveryCount}`,
  ]);
}

export function recentPage(sessions: readonly Session[]): string {
  const each = sessions.flatMap((session) => [
    `## Session ${shortId(session.id)}`,
    lines(
      ...times(session),
      `**Files:** ${session.fileCount}`,
      `**Topics:** ${session.topics.map(oneLine).join(', ') || 'None'}`,
      `**Discoveries:** ${session.discoveryCount}`,
    ),
  ]);
  return page([`# Recent Sessions (${sessions.length})`, ...each]);
}

/** Newest first, as given. */
export function discoveriesPage(discoveries: readonly Discovery[]): string {
  const each = discoveries
    .map(shown)
    .flatMap(({ type, asItem, module, solution, discovered, session }) => [
      `## ${type.charAt(0).toUpperCase()}${type.slice(1)} (Session: ${session})`,
      asItem,
      lines(
        `**Module:** ${module || 'None'}`,
        ...(solution === undefined ? [] : [`**Solution:** ${solution}`]),
        `**Discovered:** ${discovered}`,
      ),
    ]);
  return page([`# Discoveries (${discoveries.length})`, ...each]);
}

function times({ startedAt, durationMs, status }: Session): string[] {
  return [
    `**Started:** ${timeInWords(startedAt)}`,
    `**Duration:** ${durationInWords(durationMs)}`,
    `**Status:** ${status}`,
  ];
}

/** By how often, then the latest, then by name. */
function topFiles(files: readonly FileUse[]): FileUse[] {
  return [...files]
    .sort((a, b) => b.count - a.count || b.lastAt - a.lastAt || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_FILES_SHOWN);
}

/** Lines of one paragraph, each but the last with a hard break. */
function lines(...rows: string[]): string {
  return rows.join('  \n');
}

function page(blocks: string[]): string {
  return `${blocks.join('\n\n')}\n`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
