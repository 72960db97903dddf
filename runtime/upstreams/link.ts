// One connection to one server, by the SDK's client: requests whose answers come out as they came in, and what the
// server says without being asked, in both eras.

import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client';
import { tooLarge, wrongAnswer } from './outage.ts';
import { outageOf } from './outage-of.ts';
import type { Program } from './program.ts';
import { CALL_KEY, type RawAnswer, type Through } from './through.ts';

export type LinkEra = 'legacy' | 'modern';

export type LinkEvents = {
  /** As the server says it. */
  heard(method: string, params: Record<string, unknown>): void;
  closed(reason: string): void;
  log(line: string): void;
};

export type LinkParts = { program: Program | undefined; events: LinkEvents; maxBytes: number };

const CHANGES = [
  'notifications/resources/updated',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
  'notifications/tools/list_changed',
] as const;

const ACKNOWLEDGED_MS = 5000;
const LISTEN_AGAIN_MS = 2000;

/** What is given out is what came: the server's own answer is checked where it is used. */
const ANYTHING: StandardSchemaV1<unknown, Record<string, unknown>> = {
  '~standard': { version: 1, vendor: 'fieldguide', validate: (value) => ({ value: Object(value) }) },
};

export class Link {
  readonly era: LinkEra;
  readonly version: string;
  readonly capabilities: Record<string, { subscribe?: boolean; listChanged?: boolean } | undefined>;
  readonly server: { name: string; version: string } | undefined;
  readonly #client: Client;
  readonly #through: Through;
  readonly #program: Program | undefined;
  readonly #events: LinkEvents;
  readonly #maxBytes: number;
  #nextCall = 1;
  #uris: readonly string[] = [];
  #listening: { close(): Promise<void> } | undefined;
  #isOver = false;

  constructor(client: Client, through: Through, { program, events, maxBytes }: LinkParts) {
    this.#client = client;
    this.#through = through;
    this.#program = program;
    this.#events = events;
    this.#maxBytes = maxBytes;
    this.era = client.getProtocolEra() ?? 'legacy';
    this.version = client.getNegotiatedProtocolVersion() ?? '';
    this.capabilities = (client.getServerCapabilities() ?? {}) as Link['capabilities'];
    this.server = client.getServerVersion();
    client.onclose = () => this.#over();
    for (const method of CHANGES) {
      client.setNotificationHandler(method, ({ params }) => events.heard(method, { ...params }));
    }
    if (this.era === 'modern') void this.#listen();
  }

  /** The server's answer, untouched; throws Outage when there is none that can be used. */
  async request(method: string, params: Record<string, unknown>, withinMs: number): Promise<RawAnswer> {
    const call = String(this.#nextCall++);
    const { answers } = this.#through;
    try {
      const options = { timeout: withinMs, headers: { [CALL_KEY]: call }, allowInputRequired: true };
      const result = await this.#client.request({ method, params }, ANYTHING, options);
      const answer = answers.get(call) ?? { result };
      if ('result' in answer && answer.result.resultType === 'input_required') {
        throw wrongAnswer('It asks for input that nobody here can give.');
      }
      return answer;
    } catch (error) {
      const answer = answers.get(call);
      if (answer !== undefined && 'error' in answer) {
        if (Object(answer.error.data).tooLarge !== true) return answer;
        throw tooLarge(this.#maxBytes);
      }
      throw outageOf(error, withinMs, this.#through, this.#program);
    } finally {
      this.#through.forget(call);
    }
  }

  /** From now on the server is asked to tell of these. */
  async want(uris: readonly string[], withinMs: number): Promise<void> {
    const before = this.#uris;
    this.#uris = uris;
    if (this.capabilities.resources?.subscribe !== true) return;
    if (this.era === 'modern') return await this.#listen();
    const change = async (method: string, uri: string): Promise<void> => {
      await this.request(method, { uri }, withinMs).catch(() => {});
    };
    for (const uri of before) if (!uris.includes(uri)) await change('resources/unsubscribe', uri);
    for (const uri of uris) if (!before.includes(uri)) await change('resources/subscribe', uri);
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#client.close().catch(() => {});
    await this.#program?.close();
  }

  /** What it wrote on stderr last, for our log alone. */
  get lastWords(): string {
    return this.#program?.lastWords ?? '';
  }

  /** One open request for all there is to hear; another one takes its place when that changes. */
  async #listen(): Promise<void> {
    const { resources, prompts, tools } = this.capabilities;
    const filter = {
      ...(resources?.listChanged ? { resourcesListChanged: true } : {}),
      ...(prompts?.listChanged ? { promptsListChanged: true } : {}),
      ...(tools?.listChanged ? { toolsListChanged: true } : {}),
      ...(resources?.subscribe && this.#uris.length > 0 ? { resourceSubscriptions: [...this.#uris] } : {}),
    };
    const before = this.#listening;
    if (Object.keys(filter).length === 0 || this.#isOver) return await before?.close();
    try {
      const opened = await this.#client.listen(filter, { timeout: ACKNOWLEDGED_MS });
      this.#listening = opened;
      await before?.close();
      void opened.closed.then(() => {
        if (this.#listening !== opened) return;
        this.#listening = undefined;
        this.#listenAgain();
      });
    } catch {
      this.#listenAgain();
    }
  }

  #listenAgain(): void {
    if (!this.#isOver) setTimeout(() => void this.#listen(), LISTEN_AGAIN_MS).unref();
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.closed(this.#through.cutOff ?? this.#program?.ended ?? 'The connection was closed.');
  }
}
