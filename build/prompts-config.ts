// What project.yaml says of prompts: the folder they stand in, and the shape of their messages for clients
// that insist on another than the protocol's.

import { nearest } from '../runtime/nearest.ts';
import { type Place, problem, type Report } from './diagnostics.ts';
import { cleanFolder, wrongPath } from './guide-config.ts';
import { show } from './yaml.ts';

export type PromptsConfig = {
  /** Undefined: the usual folder belongs to the guide. */
  folder: string | undefined;
  /** Where project.yaml names the folder; undefined when it does not. */
  place: Place | undefined;
  content: PromptContent;
};

/** A message's content: one block, as every version of the protocol has it, or a list of one. */
export type PromptContent = (typeof CONTENTS)[number];

type Written = { prompts?: string; compat?: { promptContent?: string } };

const USUAL_FOLDER = 'prompts';
const CONTENTS = ['block', 'parts'] as const;

export function readPromptsConfig(
  { prompts, compat }: Written,
  guideRoot: string,
  placeOf: (path: readonly string[]) => Place,
  report: Report,
): PromptsConfig {
  const content = CONTENTS.find((known) => known === (compat?.promptContent ?? 'block'));
  if (content === undefined) {
    const written = compat?.promptContent ?? '';
    const near = nearest(written, CONTENTS);
    const what = `compat.promptContent is ${show(written)}.`;
    const fix = near === undefined ? `Write ${CONTENTS.join(' or ')}.` : `Did you mean ${show(near)}?`;
    report(problem('value-wrong', placeOf(['compat', 'promptContent']), what, fix));
  }
  const place = prompts === undefined ? undefined : placeOf(['prompts']);
  const folder = cleanFolder(prompts ?? USUAL_FOLDER);
  const usable = folder !== undefined && folder !== '' && !`${guideRoot}/`.startsWith(`${folder}/`);
  if (!usable && place !== undefined) {
    const holdsGuide = problem(
      'value-wrong',
      place,
      `prompts is ${show(prompts)}, which holds the guide, or is no folder of its own.`,
      'Name a folder that has only prompts.',
    );
    report(folder === undefined ? wrongPath('prompts', prompts ?? '', place) : holdsGuide);
  }
  return { folder: usable ? folder : undefined, place, content: content ?? 'block' };
}

/** Whether a file stands in the folder of prompts, and so in no category of the guide. */
export function isPrompt(path: string, { folder }: PromptsConfig): boolean {
  return folder !== undefined && path.startsWith(`${folder}/`);
}
