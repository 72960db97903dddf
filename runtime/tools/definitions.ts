// What tools/list shows: the whole of it stands in every conversation, so it is kept short. The handlers
// are loaded when a tool is called.

import type { Access } from '../access.ts';
import type { ToolDefinition } from './tool.ts';

export const SPACES = ['context', 'guide', 'file'] as const;

export const DEFINITIONS: readonly ToolDefinition[] = [
  {
    name: 'context_for',
    description:
      'What the team knows about one file: its modules, their business rules, patterns and known issues, documents about it. Call it before you change a file.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'From the root of the repository: src/auth/index.ts' } },
      required: ['path'],
    },
  },
  {
    name: 'search',
    description:
      'Searches everything the team wrote down: project, modules, guide, files, prompts. Gives URIs for read_resource, with the section and the lines that match.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'A few words' },
        space: { type: 'string', enum: [...SPACES, 'prompt'] },
        limit: { type: 'integer', description: '1 to 25; 8 unless said' },
      },
      required: ['query'],
    },
  },
  {
    name: 'read_resource',
    description:
      'Reads one resource by its URI. Start with context://project/overview; list_resources and search give others.',
    inputSchema: {
      type: 'object',
      properties: {
        uri: { type: 'string' },
        from: { type: 'integer', description: 'Where to go on, when an answer says so' },
      },
      required: ['uri'],
    },
  },
  {
    name: 'list_resources',
    description: 'Lists what there is: URIs with titles, descriptions and sizes. In a large guide, search instead.',
    inputSchema: {
      type: 'object',
      properties: { space: { type: 'string', enum: [...SPACES, 'upstream'] }, cursor: { type: 'string' } },
    },
  },
  {
    name: 'record_topic',
    description:
      'Notes in a few words what this session works on, for context://session/current and context://sessions/recent. No secrets.',
    inputSchema: {
      type: 'object',
      properties: { topic: { type: 'string', description: 'One line, at most 200 characters' } },
      required: ['topic'],
    },
    writes: true,
  },
  {
    name: 'record_discovery',
    description:
      'Proposes something learned, for everybody who works here: it is asked of the user first. Search before, so that nothing stands twice.',
    inputSchema: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['pattern', 'rule', 'decision', 'issue'] },
        content: { type: 'string', description: '10 to 1000 characters' },
        module: { type: 'string' },
        solution: { type: 'string', description: 'Of an issue' },
      },
      required: ['type', 'content'],
    },
    writes: true,
    approvalLevel: 'user',
  },
];

const READS = { readOnlyHint: true, openWorldHint: false };
const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** Those that may be called. */
export function definitionsFor({ mayCall = () => true }: Access): readonly ToolDefinition[] {
  return DEFINITIONS.filter(({ name }) => mayCall(name));
}

/** As they go out. */
export function listedTools(access: Access): Record<string, unknown>[] {
  return definitionsFor(access).map(({ writes, approvalLevel = 'none', ...definition }) => ({
    ...definition,
    annotations: writes ? ADDS : READS,
    _meta: { 'fieldguide/approvalLevel': approvalLevel },
  }));
}
