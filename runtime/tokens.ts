// How many tokens a text will cost a model, roughly: one estimate for the compiler and the reader, always
// shown with ≈. A tokenizer would take half a second to load.

const BYTES_A_TOKEN = 4.2;

export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_A_TOKEN);
}

/** The length of the longest text that costs so many tokens. */
export function bytesOfTokens(tokens: number): number {
  return Math.floor(tokens * BYTES_A_TOKEN);
}

/** `1,000`; by hand, because the first toLocaleString of a process takes twelve milliseconds. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `4.1 KB, ≈1,000 tokens` */
export function sizeInWords(bytes: number): string {
  const size = bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`;
  return `${size}, ≈${grouped(estimateTokens(bytes))} tokens`;
}
