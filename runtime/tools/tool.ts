// What a tool is: what clients are shown of it, and a handler over the context. A failure of a tool that
// exists is a result, so that the model that called it can read what to do.

import type { Context } from '../context.ts';

export type ToolDefinition = {
  name: string;
  description: string;
  inputSchema: {
    type: 'object';
    properties: Record<string, { type: 'string' | 'integer'; description?: string; enum?: readonly string[] }>;
    required?: readonly string[];
  };
  /** Left out where a tool only reads. */
  writes?: true;
  /** `user`: a person is asked before it runs. */
  approvalLevel?: 'user';
};

export type Content =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string; blob: string } };

export type ToolArguments = { [name: string]: string | number | undefined };

export type Tool = {
  definition: ToolDefinition;
  run(context: Context, given: ToolArguments): Content[] | Promise<Content[]>;
};

/** Clients cut an answer of a tool that costs more. */
export const MOST_TOKENS = 25_000;

export function text(value: string): Content[] {
  return [{ type: 'text', text: value }];
}
