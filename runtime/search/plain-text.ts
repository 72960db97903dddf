// Markdown to plain text, good enough to be read in one line. Every repetition is bounded, so that no text
// makes it slow.

const MARKUP: readonly [RegExp, string][] = [
  [/<!--[^>]{0,2000}-->|<\/?[a-zA-Z][^<>]{0,300}>|\{\{[^{}]{0,300}\}\}/g, ' '],
  [/!?\[([^[\]]{0,300})\](?:\([^()\s]{0,500}(?: "[^"]{0,200}")?\)|\[[^[\]]{0,200}\])?/g, '$1'],
  [/^[ \t]{0,20}(?:#{1,6} |>|[-*+] |\d{1,9}[.)] |[-=:|\s]{3,200}$|[`~]{3,20}.{0,100}$)/gm, ' '],
  [/\{#[^{}\s]{0,200}\}|[*`]|\\(?=[!-/:-@[-`{-~])/g, ''],
  [/\||(?<![A-Za-z0-9])_+|_+(?![A-Za-z0-9])/g, ' '],
  [/\s+/g, ' '],
];

export function plainText(markdown: string): string {
  return MARKUP.reduce((text, [pattern, by]) => text.replace(pattern, by), markdown).trim();
}
