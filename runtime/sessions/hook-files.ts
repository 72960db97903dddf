// The files that a use of a tool names. Every agent's tools have names of their own for the same argument; what
// looks over folders names no file, and a shell's command is not read.

const ONE_FILE = ['file_path', 'filePath', 'notebook_path', 'notebookPath', 'absolute_path', 'path'];
/** Lists of files, or of changes that each name one. */
const MANY_FILES = ['files', 'replacements'];
const LOOKS_OVER = /grep|glob|search|find|list|^ls$|^rg$/i;
const PATCH_START = '*** Begin Patch';
const PATCH_FILE = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;
/** A patch may be of any size; what it names beyond this is not told apart. */
const MOST_FILES = 500;

export function filesOf(tool: string, input: unknown): string[] {
  if (!isObject(input)) return [];
  const one = ONE_FILE.map((name) => input[name]);
  const many = MANY_FILES.flatMap((name) => (Array.isArray(input[name]) ? input[name].slice(0, MOST_FILES) : []));
  const named = many.flatMap((item) => (isObject(item) ? ONE_FILE.map((name) => item[name]) : [item]));
  const files = [...one, ...named].filter((file) => typeof file === 'string' && file !== '') as string[];
  return files.length > 0 && LOOKS_OVER.test(tool) ? [] : files;
}

/** The files of a patch, as Codex and others hand it to `apply_patch`. */
export function patchFiles(tool: string, input: unknown): string[] {
  const given = isObject(input) ? [input.command, input.input, input.patch].flat() : [input];
  const files: string[] = [];
  for (const patch of given) {
    if (typeof patch !== 'string' || !(tool === 'apply_patch' || patch.trimStart().startsWith(PATCH_START))) continue;
    for (const [, file = ''] of patch.matchAll(PATCH_FILE)) {
      if (files.length < MOST_FILES) files.push(file.trim());
    }
  }
  return files;
}

/** What an edit puts into its file; undefined when it is no edit. */
export function writtenText(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  const written = [input.content, input.contents, input.new_string].find((value) => typeof value === 'string');
  if (written !== undefined || !Array.isArray(input.edits)) return written as string | undefined;
  return input.edits.map((edit) => (isObject(edit) ? String(edit.new_string) : '')).join('\0');
}

/** Arguments that come as JSON in a string, as some do, are read; a patch stays a string. */
export function parsedArguments(given: unknown): unknown {
  if (typeof given !== 'string' || !given.startsWith('{')) return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
