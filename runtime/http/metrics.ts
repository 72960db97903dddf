// What the server counts of itself, as Prometheus reads it. Names of methods come from the table of methods, so a
// client cannot make the page grow.

import { METHODS } from '../wire/methods.ts';

/** Upper bounds, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 10];

export type Gauges = {
  sessions: number;
  streams: number;
  /** Undefined when there is none. */
  bundle: { digest: string; bytes: number } | undefined;
  auditProblem: boolean;
};

export class Metrics {
  readonly #started = Date.now();
  readonly #requests = new Map<string, number>();
  readonly #statuses = new Map<number, number>();
  readonly #durations = BUCKETS.map(() => 0);
  #durationCount = 0;
  #durationSum = 0;

  /** A message that was answered. */
  request(method: string, outcome: 'ok' | 'error', seconds: number): void {
    const name = METHODS.has(method) ? method : 'other';
    const key = `method="${name}",outcome="${outcome}"`;
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
    for (const [n, most] of BUCKETS.entries()) if (seconds <= most) (this.#durations[n] as number)++;
    this.#durationCount++;
    this.#durationSum += seconds;
  }

  /** A response of HTTP, whatever it holds. */
  response(status: number): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
  }

  page({ sessions, streams, bundle, auditProblem }: Gauges): string {
    const memory = process.memoryUsage();
    const cpu = process.cpuUsage();
    return [
      ...metric('fieldguide_requests_total', 'counter', 'Messages answered.', [...this.#requests]),
      ...metric(
        'fieldguide_http_responses_total',
        'counter',
        'Responses by status.',
        [...this.#statuses].map(([status, count]) => [`status="${status}"`, count]),
      ),
      ...this.#histogram(),
      ...metric('fieldguide_sessions', 'gauge', 'Sessions of clients with a handshake.', [['', sessions]]),
      ...metric('fieldguide_streams', 'gauge', 'Streams that are open.', [['', streams]]),
      ...metric('fieldguide_bundle_info', 'gauge', 'The bundle that is served.', [
        ...(bundle === undefined ? [] : ([[`digest="${bundle.digest}"`, 1]] as const)),
      ]),
      ...metric('fieldguide_bundle_bytes', 'gauge', 'Its size.', [['', bundle?.bytes ?? 0]]),
      ...metric('fieldguide_audit_failing', 'gauge', '1 while the audit cannot be written.', [
        ['', auditProblem ? 1 : 0],
      ]),
      ...metric('process_start_time_seconds', 'gauge', 'When the process began.', [['', this.#started / 1000]]),
      ...metric('process_resident_memory_bytes', 'gauge', 'Memory of the process.', [['', memory.rss]]),
      ...metric('process_cpu_seconds_total', 'counter', 'Processor time used.', [
        ['', (cpu.user + cpu.system) / 1_000_000],
      ]),
      '',
    ].join('\n');
  }

  #histogram(): string[] {
    const name = 'fieldguide_request_seconds';
    const rows = BUCKETS.map((most, n) => `${name}_bucket{le="${most}"} ${this.#durations[n]}`);
    return [
      `# HELP ${name} How long answers took.`,
      `# TYPE ${name} histogram`,
      ...rows,
      `${name}_bucket{le="+Inf"} ${this.#durationCount}`,
      `${name}_sum ${this.#durationSum}`,
      `${name}_count ${this.#durationCount}`,
    ];
  }
}

function metric(
  name: string,
  type: 'counter' | 'gauge',
  about: string,
  rows: readonly (readonly [labels: string, value: number])[],
): string[] {
  const lines = rows.map(([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}`);
  return [`# HELP ${name} ${about}`, `# TYPE ${name} ${type}`, ...lines];
}
