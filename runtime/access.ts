// Who may read what. Every list, read and look-up asks `may` with a canonical URI before it looks.

export type Access = {
  may(uri: string): boolean;
  /** True when `may` always says yes, so that a run of entries may leave as one slice. */
  readonly everything: boolean;
  /** Its name, where agents have names. */
  readonly agent?: string;
};

/** One local user, who may read everything: the file is theirs anyway. */
export const LOCAL_USER: Access = { may: () => true, everything: true };

export function agentAccess(_bundle: unknown, agent: string): Access {
  return { may: () => false, everything: false, agent };
}
