// Entries to tables: texts escaped as answers need them, cuts in bytes, list entries as JSON. What
// comes out is everything the bundle will hold; pack only lays it out.

import { CUT, type Cut, encodeCuts, escapeText, MEDIA_TYPES } from '../runtime/format.ts';
import { VERSION } from '../runtime/version.ts';
import type { Project } from './project.ts';
import { type Entry, instructions, type TextCut } from './render.ts';

export type TextRecord = {
  key: string;
  stored: Buffer;
  rawLength: number;
  cuts: Buffer;
  paged: boolean;
  mediaType: number;
};

export type ValueRecord = { key: string; value: unknown };

export type Tables = {
  texts: readonly TextRecord[];
  values: readonly ValueRecord[];
  /** The resource list in its order; each entry's URI is the key of a text. */
  list: readonly { uri: string; json: Buffer }[];
};

export function tabulate(project: Project, entries: readonly Entry[]): Tables {
  const about = {
    name: project.name,
    tool: VERSION,
    resources: entries.length,
    modules: project.modules.length,
  };
  return {
    texts: [
      ...entries.map(textRecord),
      textRecord({ uri: 'instructions', text: instructions(project), cuts: [], mediaType: 'text/plain' }),
    ],
    values: [{ key: 'about', value: about }],
    list: entries.map((entry) => ({ uri: entry.uri, json: Buffer.from(JSON.stringify(listEntry(entry)), 'utf8') })),
  };
}

function textRecord(entry: Pick<Entry, 'uri' | 'text' | 'cuts'> & { mediaType: string }): TextRecord {
  const cuts = cutsInBytes(entry.text, entry.cuts);
  return {
    key: entry.uri,
    stored: escapeText(entry.text),
    rawLength: Buffer.byteLength(entry.text),
    cuts: encodeCuts(cuts),
    paged: cuts.some((cut) => cut.kind === CUT.page),
    mediaType: MEDIA_TYPES.indexOf(entry.mediaType as (typeof MEDIA_TYPES)[number]),
  };
}

/** Escaping works character by character, so the lengths of the pieces between cuts add up. */
function cutsInBytes(text: string, cuts: readonly TextCut[]): Cut[] {
  const places = new Map<number, { at: number; rawAt: number }>();
  let from = 0;
  let at = 0;
  let rawAt = 0;
  for (const to of [...new Set(cuts.map((cut) => cut.at))].sort((a, b) => a - b)) {
    const piece = text.slice(from, to);
    at += escapeText(piece).length;
    rawAt += Buffer.byteLength(piece);
    from = to;
    places.set(to, { at, rawAt });
  }
  return cuts.map(({ at: character, kind, level, label }) => {
    const place = places.get(character) as { at: number; rawAt: number };
    return { ...place, kind, level, label };
  });
}

function listEntry(entry: Entry): Record<string, unknown> {
  return {
    uri: entry.uri,
    name: entry.name,
    title: entry.title,
    description: entry.description,
    mimeType: entry.mediaType,
    size: Buffer.byteLength(entry.text),
  };
}
