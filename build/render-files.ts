// Whitelisted files to entries: text as text, anything else as base64, under their real media types.

import mime from 'mime/lite';
import { CUT } from '../runtime/format.ts';
import { pageStarts } from '../runtime/paginate.ts';
import { fileUri } from '../runtime/uri.ts';
import type { ListedFile } from './collect-files.ts';
import type { Report } from './diagnostics.ts';
import type { Parsed } from './examine-all.ts';
import type { Project } from './project.ts';
import type { Entry } from './render.ts';
import { sectionAnchors } from './slug.ts';

export function renderFiles(
  files: readonly ListedFile[],
  texts: readonly Parsed[],
  project: Project,
  report: Report,
): Entry[] {
  const known = new Map(texts.map((one) => [one.source.path, one]));
  return files.map(({ path, bytes, text }): Entry => {
    const { page, counted, problems = [] } = known.get(path) ?? {};
    for (const found of problems) report({ ...found, file: path });
    const uri = fileUri(path);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const listed = {
      uri,
      name,
      title: `Documentation: ${name}`,
      description: `MCP documentation file: ${path}`,
      isListed: true,
    };
    if (text === undefined) {
      const isTooLarge = bytes.length > project.limits.response;
      const blob = { bytes: bytes.length, base64: isTooLarge ? undefined : bytes.toString('base64') };
      return { ...listed, mediaType: mime.getType(path) ?? 'application/octet-stream', text: '', blob, cuts: [] };
    }
    const pages = pageStarts(uri, text, project.limits.response);
    const cuts = pages.map((at) => ({ at, kind: CUT.page, level: 0, label: '' }));
    const anchors = sectionAnchors(page?.sections ?? []);
    const headings = (page?.sections ?? []).map(({ from, level }, n) => ({
      at: from,
      kind: CUT.heading,
      level,
      label: anchors[n] as string,
    }));
    // Front matter is served with a file, and was not counted.
    const asCounted = counted === undefined || (page?.bodyAt ?? 0) > 0 ? {} : { counted };
    return { ...listed, mediaType: textType(path), text, cuts: [...cuts, ...headings], ...asCounted };
  });
}

/** The type that the name stands for, unless it is one of sounds or pictures: `.ts` is TypeScript here. */
function textType(path: string): string {
  if (/\.[cm]?tsx?$/i.test(path)) return 'text/x-typescript';
  const type = mime.getType(path);
  return type === null || /^(?:audio|video|font|image\/(?!svg))/.test(type) ? 'text/plain' : type;
}
