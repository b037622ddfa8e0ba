import { type Around, justRun } from '#infra/local/around.ts';
import { dollarsOf, dollarsOfCalls } from '#infra/prices.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { HttpEvent, HttpReply } from '#shared/api/http.ts';
import type { ConsumedUnits } from '#shared/runtime/services.ts';
import { Histogram, Series } from './text-format.ts';
import { countUnits } from './units.ts';

const METRICS_PATH = '/metrics';
const SWEEP = 'sweep';
const DEFAULT_MEMORY_MB = 512;
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const THIS_MACHINE = /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/;

/** What the local service tells of itself at `/metrics`, in the text format of Prometheus. */
export class Metrics {
  readonly #registry: Record<string, AnyEndpoint>;
  readonly #runs = new Series(
    'team_chat_runs_total',
    'counter',
    'Requests and jobs, by operation and status.',
  );
  readonly #running = new Series(
    'team_chat_running',
    'gauge',
    'Requests and jobs under way; those of getEvents are polls that wait.',
  );
  readonly #seconds = new Histogram('team_chat_run_seconds', 'How long requests and jobs took.', SECONDS);
  readonly #units = new Series(
    'team_chat_capacity_units_total',
    'counter',
    'Consumed capacity of the table.',
  );
  readonly #dollars = new Series(
    'team_chat_aws_dollars_total',
    'counter',
    'What the same would have cost on AWS: capacity, gateway and functions at list prices. rate() * 3600 is dollars an hour.',
  );
  readonly #seen = new Histogram(
    'team_chat_append_to_seen_seconds',
    'From an entry of the log to the look of a waiting poll that found it.',
    SECONDS,
  );
  readonly #sweepAge = new Series(
    'team_chat_sweep_age_seconds',
    'gauge',
    'Since the end of the last sweep, or since the start.',
  );
  #sweptMs = performance.now();

  /** @param registry the operations, whose memory on AWS decides what they would cost */
  constructor(registry: Record<string, AnyEndpoint>) {
    this.#registry = registry;
  }

  /** Counts each run; tells the caller of a request what it consumed where that is wanted. */
  around(inner: Around = justRun, { showsUnits = false }: { showsUnits?: boolean | undefined } = {}): Around {
    return (operation, run) =>
      countUnits(async (units) => {
        const startMs = performance.now();
        this.#running.add({ operation }, 1);
        let status = 'failed';
        try {
          const result = await inner(operation, run);
          status = isReply(result) ? String(result.statusCode) : 'done';
          if (operation === SWEEP) this.#sweptMs = performance.now();
          return showsUnits && isReply(result)
            ? { ...result, headers: { ...result.headers, ...unitHeaders(units) } }
            : result;
        } finally {
          this.#running.add({ operation }, -1);
          this.#note({ operation, status }, units, performance.now() - startMs);
        }
      });
  }

  #note(labels: { operation: string; status: string }, units: ConsumedUnits, ms: number): void {
    const { operation } = labels;
    const memoryMb = this.#registry[operation]?.memoryMegabytes ?? DEFAULT_MEMORY_MB;
    this.#runs.add(labels, 1);
    this.#seconds.observe({ operation }, ms / 1000);
    this.#units.add({ operation, kind: 'read' }, units.read);
    this.#units.add({ operation, kind: 'write' }, units.write);
    this.#dollars.add({ operation }, dollarsOf(units) + dollarsOfCalls(1, (memoryMb / 1024) * (ms / 1000)));
  }

  /** The time from an entry's append until a waiting poll found it. */
  noteSeen(lagMs: number): void {
    this.#seen.observe({}, Math.max(0, lagMs) / 1000);
  }

  /** The figures, for callers on this machine who came through no proxy; nothing for any other. */
  answer({ rawPath, headers, requestContext: { http } }: HttpEvent): HttpReply | undefined {
    const isFromHere = THIS_MACHINE.test(http.sourceIp) && !headers['x-forwarded-for'] && !headers.forwarded;
    if (rawPath !== METRICS_PATH || http.method !== 'GET' || !isFromHere) return undefined;
    this.#sweepAge.set({}, (performance.now() - this.#sweptMs) / 1000);
    const all = [
      this.#runs,
      this.#running,
      this.#seconds,
      this.#units,
      this.#dollars,
      this.#seen,
      this.#sweepAge,
    ];
    return {
      statusCode: 200,
      headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' },
      body: all.map((one) => one.describe()).join(''),
    };
  }
}

const isReply = (result: unknown): result is HttpReply =>
  typeof result === 'object' && result !== null && 'statusCode' in result;

const unitHeaders = ({ read, write }: ConsumedUnits) => ({
  'X-Consumed-Read-Units': String(read),
  'X-Consumed-Write-Units': String(write),
});
