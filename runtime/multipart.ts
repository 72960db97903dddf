// Several documents as one text: MIME multipart/mixed, CRLF, no preamble, so that a standard parser
// reads it and a person can. Pieces are JSON-escaped, as the texts of a bundle are stored.

import type { Part } from './answer.ts';

export type BodyPart = { mediaType: string; location: string; rawLength: number; content: Part[] };

const BOUNDARY = 'guide-boundary';
const CRLF = '\\r\\n';

/** A boundary that none of the texts contains: the plain one, or one with a number after it. */
export function chooseBoundary(suspects: readonly Buffer[]): string {
  let boundary = BOUNDARY;
  for (let n = 1; suspects.some((text) => text.includes(boundary)); n++) boundary = `${BOUNDARY}-${n}`;
  return boundary;
}

export function multipartType(boundary: string): string {
  return `multipart/mixed; boundary="${boundary}"`;
}

/** The escaped pieces of the whole body. */
export function multipartBody(parts: readonly BodyPart[], boundary: string): Part[] {
  const body: Part[] = [];
  for (const { mediaType, location, rawLength, content } of parts) {
    body.push(
      `--${boundary}${CRLF}Content-Type: ${mediaType}${CRLF}Content-Location: ${location}${CRLF}Content-Length: ${rawLength}${CRLF}${CRLF}`,
      ...content,
      CRLF,
    );
  }
  body.push(`--${boundary}--${CRLF}`);
  return body;
}
