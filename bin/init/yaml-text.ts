// Texts as YAML: plain where that reads well and means nothing else, else between double quotes. Written by hand
// because the library costs more to load than everything that `init` does.

/** Words that YAML 1.1 or 1.2 takes for something else than a text. */
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
const PLAIN = /^[\p{L}_](?:[\p{L}\p{M}\p{N}_./@()+'’–—;!?&%-]| (?! |$))*$/u;
const PLAIN_IN_BLOCK = /^[\p{L}_](?:[\p{L}\p{M}\p{N}_./@()+'’–—;!?&%,-]| (?! |$))*$/u;
/** What stands in no YAML text as it is: controls, line breaks of every kind, byte order marks, half characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufeff\ufffe\uffff]/gu;

/** A text where a value or a key stands on its own line. */
export function yamlText(text: string): string {
  return PLAIN_IN_BLOCK.test(text) && !RESERVED.test(text) ? text : quoted(text);
}

/** A text inside `[ ]` or `{ }`, where a comma means something. */
export function yamlItem(text: string): string {
  return PLAIN.test(text) && !RESERVED.test(text) ? text : quoted(text);
}

export function yamlList(texts: readonly string[]): string {
  return `[${texts.map(yamlItem).join(', ')}]`;
}

function quoted(text: string): string {
  const escaped = text.replace(/["\\]/g, '\\$&').replace(UNPRINTABLE, escapeCode);
  return `"${escaped}"`;
}

function escapeCode(char: string): string {
  const code = (char.codePointAt(0) as number).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}
