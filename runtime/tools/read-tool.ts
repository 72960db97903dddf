// read_resource: one resource, as resources/read gives it. What is longer than clients take is cut at a
// line, with a visible note of how to go on.

import { answerValue } from '../answer.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { advise } from '../later-advice.ts';
import { readResource } from '../router.ts';
import { bytesOfTokens, estimateTokens } from '../tokens.ts';
import { type Content, MOST_TOKENS, type ToolArguments, text } from './tool.ts';

type Read = { uri: string; mimeType?: string; text?: string; blob?: string };

/** Kept for the note at the end. */
const ROOM_TOKENS = 500;

export async function readTool(context: Context, { uri, from }: ToolArguments): Promise<Content[]> {
  const contents = answerValue(await readResource(context, String(uri))).contents as Read[];
  const blobs = contents.flatMap((read) => (read.blob === undefined ? [] : blobContent(read, read.blob)));
  const texts = contents.flatMap((read) => read.text ?? []);
  if (texts.length === 0 && blobs.length > 0) return blobs;
  return [...text(portion(texts.join('\n\n'), Number(from ?? 0), String(uri))), ...blobs];
}

function blobContent({ uri, mimeType }: Read, blob: string): Content {
  if (mimeType?.startsWith('image/')) return { type: 'image', data: blob, mimeType };
  return { type: 'resource', resource: { uri, mimeType: mimeType ?? 'application/octet-stream', blob } };
}

/** From a character on, as much as one answer may hold. */
function portion(whole: string, from: number, uri: string): string {
  if (from < 0 || from > whole.length) {
    throw new Failure('invalid_params', 'Invalid argument: from', {
      uri,
      reason: `from is a place in the text, 0 to ${whole.length}.`,
      ...advise('toolArguments'),
    });
  }
  const rest = whole.slice(from);
  if (estimateTokens(Buffer.byteLength(rest)) <= MOST_TOKENS) return rest;
  const end = from + lineWithin(rest, bytesOfTokens(MOST_TOKENS - ROOM_TOKENS));
  const next = JSON.stringify({ uri, from: end });
  return `${whole.slice(from, end)}\n[Cut after ${end} of ${whole.length} characters. Go on with read_resource ${next}]`;
}

/** The end of the last whole line within so many bytes; in a line longer than that, of the last whole character. */
function lineWithin(rest: string, bytes: number): number {
  const head = new TextDecoder().decode(Buffer.from(rest.slice(0, bytes), 'utf8').subarray(0, bytes), { stream: true });
  const newline = head.lastIndexOf('\n');
  return newline > 0 ? newline + 1 : head.length;
}
