// One connection to one server: requests whose answers come out as they came in, and what the server says without being
// asked, in both eras.

import type { Client } from '@modelcontextprotocol/client';
import { SERVER_INFO } from '../version.ts';
import { type Outage, tooLarge, wrongAnswer } from './outage.ts';
import { outageOf } from './outage-of.ts';
import type { Program } from './program.ts';
import type { RawAnswer, Through } from './through.ts';

export type LinkEra = 'legacy' | 'modern';

export type LinkEvents = {
  /** As the server says it. */
  heard(method: string, params: Record<string, unknown>): void;
  closed(reason: string): void;
  log(line: string): void;
};

export type LinkParts = { program: Program | undefined; events: LinkEvents; maxBytes: number };

const ACKNOWLEDGED_MS = 5000;
const LISTEN_AGAIN_MS = 2000;

export class Link {
  readonly era: LinkEra;
  readonly version: string;
  readonly capabilities: Record<string, { subscribe?: boolean; listChanged?: boolean } | undefined>;
  readonly #client: Client;
  readonly #through: Through;
  readonly #program: Program | undefined;
  readonly #events: LinkEvents;
  readonly #maxBytes: number;
  /** What every request without a handshake carries. */
  readonly #envelope: Record<string, unknown> | undefined;
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
    client.onclose = () => this.#over();
    through.onchange = (method, params) => events.heard(method, params);
    if (this.era === 'legacy') return;
    this.#envelope = {
      'io.modelcontextprotocol/protocolVersion': this.version,
      'io.modelcontextprotocol/clientInfo': SERVER_INFO,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    void this.#listen();
  }

  /** The server's answer, untouched; throws Outage when there is none that can be used. */
  async request(method: string, params: Record<string, unknown>, withinMs: number): Promise<RawAnswer> {
    const whole = this.#envelope === undefined ? params : { ...params, _meta: this.#envelope };
    let answer: RawAnswer;
    try {
      answer = await this.#through.ask(method, whole, withinMs);
    } catch (error) {
      throw outageOf(error, withinMs, this.#through, this.#program);
    }
    const refusal = 'error' in answer ? this.#refusalOfError(answer.error) : this.#refusal(answer.result);
    if (refusal !== undefined) throw refusal;
    return answer;
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

  /** What it wrote on stderr last, for our log alone: one line, without what steers a terminal. */
  get lastWords(): string {
    return (this.#program?.lastWords ?? '').replace(/\p{Cc}+/gu, ' ').trim();
  }

  #refusalOfError({ code, message, data }: { code: unknown; message: unknown; data?: unknown }): Outage | undefined {
    if (Object(data).tooLarge === true) return tooLarge(this.#maxBytes);
    const isRight = Number.isSafeInteger(code) && typeof message === 'string';
    return isRight ? undefined : wrongAnswer('Its answer is not what the protocol says.');
  }

  #refusal({ resultType }: Record<string, unknown>): Outage | undefined {
    if (this.era === 'legacy' || resultType === 'complete') return undefined;
    const wants = resultType === 'input_required';
    return wrongAnswer(
      wants ? 'It asks for input that nobody here can give.' : 'Its answer is not what the protocol says.',
    );
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
