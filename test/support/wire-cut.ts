// A network between a client and a server that can be cut, or swallow everything that is sent.

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export class WireCut {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #state: 'passes' | 'swallows' | 'cut' = 'passes';

  private constructor(port: number) {
    this.#server = createServer((near) => this.#join(near, port));
  }

  static async before(t: TestContext, port: number): Promise<WireCut> {
    const wire = new WireCut(port);
    wire.#server.listen(0, '127.0.0.1');
    await once(wire.#server, 'listening');
    t.after(() => {
      wire.cut();
      wire.#server.close();
    });
    return wire;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  /** Every connection breaks, and new ones do at once. */
  cut(): void {
    this.#state = 'cut';
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Connections stay, new ones are taken, and nothing ever arrives. */
  swallow(): void {
    this.#state = 'swallows';
  }

  /** What was swallowed is gone, and the connections with it. */
  mend(): void {
    this.cut();
    this.#state = 'passes';
  }

  #join(near: Socket, port: number): void {
    if (this.#state === 'cut') return void near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('data', (bytes) => this.#state === 'passes' && other.write(bytes));
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        if (this.#state !== 'swallows') other.destroy();
      });
    }
  }
}
