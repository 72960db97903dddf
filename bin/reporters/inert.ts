// GitHub's runner takes a line that begins with `::`, or holds `##[`, for a command, wherever it comes from.
// Names of files and lines of sources are written by whoever sends a pull request: shown there, they are words.

export function inert(text: string, env: NodeJS.ProcessEnv): string {
  if (env.GITHUB_ACTIONS !== 'true') return text;
  return text.replace(/^(\s*):(?=:)/gm, '$1: ').replaceAll('##[', '## [');
}
