// Bundles from somebody else: well packed, with texts that our compiler would never write.

import { pack } from '../../build/pack.ts';
import { escapeText } from '../../runtime/format.ts';

/** A whole bundle of nothing but these texts. */
export function crafted(texts: Record<string, string>): Buffer {
  return pack({
    texts: Object.entries(texts).map(([key, text]) => ({
      key,
      stored: escapeText(text),
      rawLength: Buffer.byteLength(text),
      cuts: Buffer.alloc(0),
      paged: false,
      mediaType: 3,
    })),
    values: [],
    groups: [],
    documents: [],
    references: [],
    list: [],
  });
}
