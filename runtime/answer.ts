// The shape of an answer: the members of a result object without its braces, as text and slices of
// the bundle ready for the wire, or as a value to be written as JSON.

export type Part = string | Buffer;

/**
 * `isLive`: it may be another one at the next moment, so nobody should keep it. `meta` goes into its `_meta`.
 * `resultType` is said where the answer is not complete; `failed` is the word of a tool's failure, which is a result.
 */
export type Answer = ({ parts: Part[] } | { value: Record<string, unknown> }) & {
  isLive?: true;
  meta?: Record<string, unknown>;
  resultType?: 'input_required';
  failed?: string;
};

/** The answer to a read: one text, its pieces escaped as the bundle has them. */
export function textContents(uri: string, mimeType: string, text: readonly Part[]): { parts: Part[] } {
  return { parts: [`${contentsHead(uri, mimeType)}"text":"`, ...text, '"}]'] };
}

/** The same for bytes that are no text, as base64. */
export function blobContents(uri: string, mimeType: string, base64: Part): Answer {
  return { parts: [`${contentsHead(uri, mimeType)}"blob":"`, base64, '"}]'] };
}

function contentsHead(uri: string, mimeType: string): string {
  return `"contents":[{"uri":${JSON.stringify(uri)},"mimeType":${JSON.stringify(mimeType)},`;
}

/** A text as it stands inside a JSON string. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The answer as a value: what HTTP and the terminal use. */
export function answerValue(answer: Answer): Record<string, unknown> {
  if ('value' in answer) return answer.value;
  const text = answer.parts.map((part) => (typeof part === 'string' ? part : part.toString('utf8'))).join('');
  return JSON.parse(`{${text}}`);
}
