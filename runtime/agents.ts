// Agents that have names: what the bundle in service says that each may read, call and be prompted with. Loaded when
// there is an agent to ask for. Rules are made once for each bundle and follow it when it is replaced; asking them
// never looks for a new one, and an agent that the bundle does not know may read nothing.

import type { Access, SeenTexts, Told } from './access.ts';
import type { Bundle } from './bundle.ts';
import { bundleFailure, type CurrentBundle } from './current.ts';
import { BundleError } from './format.ts';
import { namesOnly } from './named.ts';
import { compileRules } from './rules.ts';
import { Seen, textOf } from './seen.ts';
import { type AgentSettings, readSettings } from './settings.ts';
import { damaged } from './table.ts';
import { DISCOVERIES_URI, MODULE_PREFIX } from './uri.ts';

type Allowed = {
  may(uri: string): boolean;
  mayCall(tool: string): boolean;
  readonly everything: boolean;
  readonly texts: SeenTexts;
};

const PROMPT_PREFIX = 'prompt/';
const TOOL_PREFIX = 'tool/';
const LIST_HINT = 'resources/list shows what there is.';
const NAMES_FIRST = /^Did you mean [^?]*\? /;

/** What each tool reads, as the start of a URI; one that is not here reads whatever there is. */
const READ_BY: ReadonlyMap<string, readonly string[]> = new Map([
  ['context_for', ['context://for/']],
  ['record_topic', ['context://session/current']],
  ['record_discovery', [DISCOVERIES_URI, MODULE_PREFIX]],
]);

/** The agents that a bundle names; undefined: it has no such section, and there is one local user. */
export function findAgents(bundle: Bundle | undefined): readonly AgentSettings[] | undefined {
  const { agents } = readSettings(bundle);
  return Array.isArray(agents) ? agents : undefined;
}

export function agentAccess(current: Pick<CurrentBundle, 'inService'>, name: string): Access {
  const byBundle = new WeakMap<Bundle, Allowed>();
  const allowedBy = (bundle: Bundle): Allowed => {
    let allowed = byBundle.get(bundle);
    if (allowed === undefined) {
      allowed = allowedTo(findAgent(bundle, name), bundle);
      byBundle.set(bundle, allowed);
    }
    return allowed;
  };
  const now = (): Allowed | undefined => {
    const bundle = current.inService;
    return bundle === undefined ? undefined : allowedBy(bundle);
  };
  const may = (uri: string): boolean => now()?.may(uri) ?? false;
  return {
    agent: name,
    may,
    get everything() {
      return now()?.everything ?? false;
    },
    mayCall: (tool) => now()?.mayCall(tool) ?? false,
    textsOf: (bundle) => allowedBy(bundle).texts,
    told: (detail) => told(detail, may),
  };
}

function findAgent(bundle: Bundle, name: string): AgentSettings | undefined {
  try {
    return findAgents(bundle)?.find((one) => one.name === name);
  } catch (error) {
    throw error instanceof BundleError ? bundleFailure(error) : error;
  }
}

function allowedTo(agent: AgentSettings | undefined, bundle: Bundle): Allowed {
  const resources = compileRules(agent?.resources);
  const prompts = agent === undefined || agent.prompts !== undefined ? compileRules(agent?.prompts) : undefined;
  const tools = agent === undefined || agent.tools !== undefined ? compileRules(agent?.tools) : undefined;
  const known = new Map<string, boolean>();
  /** Whatever the list says, a prompt that names what may not be read is not for this agent. */
  const mayPrompt = (key: string): boolean => {
    if (prompts?.allow(key.slice(PROMPT_PREFIX.length)) === false) return false;
    if (resources.everything) return true;
    let names = known.get(key);
    if (names === undefined) {
      const text = texts.findText(key);
      // A prompt of another server is no part of the bundle; whether the agent may know that one is asked besides.
      if (text === undefined && key.includes('__')) return true;
      const { listed, needs } = listedAs(key, bundle);
      names = text !== undefined && needs.every(may) && namesOnly(`${textOf(text.stored)} ${listed}`, may);
      if (text !== undefined) known.set(key, names);
    }
    return names;
  };
  const may = (uri: string): boolean => (uri.startsWith(PROMPT_PREFIX) ? mayPrompt(uri) : resources.allow(uri));
  const mayCall = (tool: string): boolean =>
    tools?.allow(tool) ?? (READ_BY.get(tool) ?? ['']).some((prefix) => resources.allowBelow(prefix));
  const shows = (label: string): boolean =>
    label.split(' ').every((one) => (one.startsWith(TOOL_PREFIX) ? mayCall(one.slice(TOOL_PREFIX.length)) : may(one)));
  const texts = new Seen(bundle, shows);
  return { may, mayCall, texts, everything: resources.everything && (prompts?.everything ?? true) };
}

/** A prompt's title, description and arguments, and what is read for it. */
function listedAs(key: string, bundle: Bundle): { listed: string; needs: readonly string[] } {
  const list = bundle.findText('prompts');
  try {
    const { prompts, embeds = [] } = list === undefined ? { prompts: [] } : JSON.parse(textOf(list.stored));
    const listed = prompts.find(({ name }: { name: unknown }) => PROMPT_PREFIX + name === key);
    const embed = embeds.find(({ prompt }: { prompt: unknown }) => PROMPT_PREFIX + prompt === key);
    return { listed: JSON.stringify(listed ?? ''), needs: embed === undefined ? [] : [...embed.needs] };
  } catch {
    throw damaged('its list of prompts');
  }
}

/** Advice that leads to what may not be read would be no help, and would name it. */
function told({ docs, hint, ...detail }: Told, may: (uri: string) => boolean): Told {
  const near = hint === undefined ? '' : (NAMES_FIRST.exec(hint)?.[0] ?? '');
  const rest = hint?.slice(near.length);
  const isFit = rest === undefined || namesOnly(rest, may);
  return {
    ...detail,
    ...(hint === undefined ? {} : { hint: isFit ? hint : near + LIST_HINT }),
    ...(docs !== undefined && may(docs) ? { docs } : {}),
  };
}
