// Progress of long work on stderr: a line that rewrites itself on a terminal, a line now and then elsewhere,
// nothing for work that is over soon.

const TERMINAL = { firstMs: 1000, everyMs: 100 };
const LOG = { firstMs: 3000, everyMs: 10_000 };

export type Progress = { at(done: number, all: number): void; end(): void };

export function progressOn(stream: NodeJS.WriteStream, what: string): Progress {
  const { firstMs, everyMs } = stream.isTTY ? TERMINAL : LOG;
  let nextAt = performance.now() + firstMs;
  let shown = false;
  return {
    at(done, all) {
      if (performance.now() < nextAt) return;
      nextAt = performance.now() + everyMs;
      shown = true;
      const line = `${what} ${done.toLocaleString('en')} of ${all.toLocaleString('en')}`;
      stream.write(stream.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
    },
    end() {
      if (shown && stream.isTTY) stream.write('\r\u001b[K');
    },
  };
}
