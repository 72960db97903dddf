// Which resources a text names: URIs of this server's own spaces, in the spelling that access is asked for.

import { parseUri } from './uri.ts';

const URI = /\b(?:context|guide|file):\/\/[^\s`"'<>()[\]\\]*/gi;

/** Whether a text names nothing that may not be read. A form such as `context://module/{name}` names nothing. */
export function namesOnly(text: string, may: (uri: string) => boolean): boolean {
  return [...text.matchAll(URI)].every(([written]) => {
    const meant = readings(written).flatMap(canonical);
    return meant.length === 0 || meant.some(may);
  });
}

/** What it may be, as the end of a sentence, a pattern, or in bold; with braces, the part before them and one example. */
function readings(written: string): string[] {
  const plain = written.replace(/[.,;:!]+$/, '');
  const brace = plain.indexOf('{');
  if (brace < 0) return [plain, plain.replace(/[?*_/]+$/, '')];
  const fixed = plain.slice(0, plain.lastIndexOf('/', brace));
  return canonical(fixed).length === 0 ? [] : [fixed, plain.replace(/\{+[^{}]*\}+/g, 'x')];
}

/** Nothing for what leads nowhere. */
function canonical(written: string): string[] {
  try {
    return [parseUri(written).uri];
  } catch {
    return [];
  }
}
