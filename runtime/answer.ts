// The shape of an answer: the members of a result object without its braces, as text and slices of
// the bundle ready for the wire, or as a value to be written as JSON.

export type Part = string | Buffer;

export type Answer = { parts: Part[] } | { value: Record<string, unknown> };

/** The answer as a value: what HTTP and the terminal use. */
export function answerValue(answer: Answer): Record<string, unknown> {
  if ('value' in answer) return answer.value;
  const text = answer.parts.map((part) => (typeof part === 'string' ? part : part.toString('utf8'))).join('');
  return JSON.parse(`{${text}}`);
}
