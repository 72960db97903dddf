// The compiled server on HTTP, spoken to as the one on stdio is, so that the same tests run on both: `request` has a
// handshake, and with it a session, if the test makes one; `modern` has none. Every message that comes, on whatever
// stream, is kept.

import { type ChildProcess, spawn } from 'node:child_process';
import type { TestContext } from 'node:test';
import { ENVELOPE, type Ended, type Message, NO_SESSION, START_FILE } from './command.ts';

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const NAMED_BY: Record<string, string> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

export type Replied = { status: number; headers: Headers; messages: Message[]; text: string };

export class HttpServed {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly messages: Message[] = [];
  stderr = '';
  session: string | undefined;
  /** Sent with every request. */
  headers: Record<string, string> = {};
  readonly #address: Promise<string>;
  readonly #streams = new AbortController();
  #waiting: (() => void)[] = [];
  #nextId = 1;

  constructor(t: TestContext, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
    const env = { ...process.env, ...NO_SESSION, ...options.env };
    const http = args.includes('--http') ? [] : ['--http', '0'];
    this.child = spawn(process.execPath, [START_FILE, 'serve', ...http, ...args], {
      ...options,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    t.after(() => {
      this.#streams.abort();
      this.child.kill('SIGKILL');
    });
    this.#address = new Promise((resolve, reject) => {
      this.child.stderr?.on('data', (chunk: Buffer) => {
        this.stderr += chunk;
        const said = /serving at (http:\S+)\/mcp\n/.exec(this.stderr);
        if (said !== null) resolve(said[1] as string);
      });
      this.child.on('close', () => reject(new Error(`the server ended; stderr: ${this.stderr}`)));
    });
    this.#address.catch(() => {});
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code) => resolve({ code, stdout: '', stderr: this.stderr }));
    });
  }

  /** `http://127.0.0.1:port` */
  async origin(): Promise<string> {
    return await this.#address;
  }

  /** Posts a line as it is; what comes back is kept. */
  async post(line: string, headers: Record<string, string> = {}): Promise<Replied> {
    const session = this.session === undefined ? {} : { 'mcp-session-id': this.session };
    const response = await fetch(`${await this.origin()}/mcp`, {
      method: 'POST',
      body: line,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...session,
        ...this.headers,
        ...headers,
      },
      signal: this.#streams.signal,
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const kept = this.messages.length;
    const text = isStream ? await this.#keepEvents(response) : await response.text();
    if (!isStream && text !== '') this.#keep(JSON.parse(text));
    return { status: response.status, headers: response.headers, messages: this.messages.slice(kept), text };
  }

  /** As a line on stdio: nobody waits for it. */
  send(text: string | Buffer): void {
    for (const line of String(text).split('\n')) {
      if (line.trim() !== '') this.post(line).catch(() => {});
    }
  }

  async request(method: string, params?: Message, id: unknown = this.#nextId++): Promise<Message> {
    const line = JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
    const version = params?._meta?.[VERSION_KEY];
    let posted: Promise<Replied> | undefined;
    if (typeof version === 'string') {
      posted = this.post(line, this.#modernHeaders(method, params, version));
    } else if (method === 'initialize') {
      this.session = undefined;
      const whole = {
        capabilities: {},
        clientInfo: { name: 'test', version: '0' },
        ...params,
        protocolVersion: params?.protocolVersion ?? '',
      };
      const { headers } = await this.post(JSON.stringify({ jsonrpc: '2.0', id, method, params: whole }));
      this.session = headers.get('mcp-session-id') ?? undefined;
      if (this.session !== undefined) await this.#listen();
    } else posted = this.post(line);
    const answer = this.answer((message) => message.id === id && message.method === undefined);
    const refused = posted?.then(({ messages, status, text }) => {
      // A refusal at the door names no request.
      if (status >= 400 && messages[0]?.id === null) return messages[0];
      return status < 400 || messages.length > 0 ? answer : Promise.reject(new Error(`${status}: ${text}`));
    });
    return await Promise.race([answer, refused ?? answer]);
  }

  async modern(method: string, params: Message = {}): Promise<Message> {
    return await this.request(method, { ...params, _meta: ENVELOPE });
  }

  async answer(is: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.messages.find(is);
      if (found !== undefined) return found;
      if (this.child.exitCode !== null) throw new Error(`the server ended; stderr: ${this.stderr}`);
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #modernHeaders(method: string, params: Message, version: string): Record<string, string> {
    const named = params[NAMED_BY[method] ?? ''];
    const name = typeof named !== 'string' ? {} : { 'mcp-name': coded(named) };
    // A request without a handshake belongs to no session.
    return { 'mcp-protocol-version': version, 'mcp-method': method, ...name };
  }

  /** The stream on which a session hears of changes. */
  async #listen(): Promise<void> {
    const response = await fetch(`${await this.origin()}/mcp`, {
      headers: { accept: 'text/event-stream', 'mcp-session-id': this.session as string, ...this.headers },
      signal: this.#streams.signal,
    });
    this.#keepEvents(response).catch(() => {});
  }

  async #keepEvents(response: Response): Promise<string> {
    let text = '';
    let read = 0;
    const decoder = new TextDecoder();
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      for (let end = text.indexOf('\n\n', read); end >= 0; end = text.indexOf('\n\n', read)) {
        const data = /^data: (.*)$/m.exec(text.slice(read, end))?.[1];
        if (data !== undefined) this.#keep(JSON.parse(data));
        read = end + 2;
      }
    }
    return text;
  }

  #keep(message: Message): void {
    this.messages.push(message);
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

/** What a header cannot hold is coded. */
export function coded(value: string): string {
  return /^[\x21-\x7e][\x20-\x7e]*$/.test(value) && !value.startsWith('=?')
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
