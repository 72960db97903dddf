// What can be exported, and the files that each export is. Apart from what makes them, so that a wrong name is
// refused before anything is loaded.

export const EXPORT_FILES = {
  agents: ['AGENTS.md'],
  llms: ['llms.txt', 'llms-full.txt'],
} as const;

export type ExportKind = keyof typeof EXPORT_FILES;
