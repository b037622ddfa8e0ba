import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type Around, justRun } from '#infra/local/around.ts';
import type { MailResult } from '#infra/local/smtp-mail.ts';
import { dollarsOf, dollarsOfCalls } from '#infra/prices.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { HttpEvent, HttpReply } from '#shared/api/http.ts';
import type { ConsumedUnits } from '#shared/runtime/services.ts';
import { countUnits } from './units.ts';

const METRICS_PATH = '/metrics';
const SWEEP = 'sweep';
const DEFAULT_MEMORY_MB = 512;
const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const THIS_MACHINE = /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/;

/** The figures of one operation or job. */
interface Figures {
  running: { inc(): void; dec(): void };
  note(status: string, units: ConsumedUnits, tookSeconds: number): void;
}

/** The figures of the local service at `/metrics`, in the text format of Prometheus. */
export class Metrics {
  readonly #endpoints: Record<string, AnyEndpoint>;
  readonly #registry = new Registry();
  readonly #runs = new Counter({
    name: 'team_chat_runs_total',
    help: 'Requests and jobs, by operation and status.',
    labelNames: ['operation', 'status'],
    registers: [this.#registry],
  });
  readonly #running = new Gauge({
    name: 'team_chat_running',
    help: 'Running requests and jobs; requests of getEvents are waiting polls.',
    labelNames: ['operation'],
    registers: [this.#registry],
  });
  readonly #seconds = new Histogram({
    name: 'team_chat_run_seconds',
    help: 'How long requests and jobs took.',
    labelNames: ['operation'],
    buckets: BUCKETS_SECONDS,
    registers: [this.#registry],
  });
  readonly #units = new Counter({
    name: 'team_chat_capacity_units_total',
    help: 'Consumed capacity of the table.',
    labelNames: ['operation', 'kind'],
    registers: [this.#registry],
  });
  readonly #dollars = new Counter({
    name: 'team_chat_aws_dollars_total',
    help: 'Costs of the same requests on AWS: capacity, gateway and functions at list prices. rate() * 3600 is dollars an hour.',
    labelNames: ['operation'],
    registers: [this.#registry],
  });
  readonly #seen = new Histogram({
    name: 'team_chat_append_to_seen_seconds',
    help: 'From an entry of the log to the look of a waiting poll that found it.',
    buckets: BUCKETS_SECONDS,
    registers: [this.#registry],
  });
  readonly #sweepAge = new Gauge({
    name: 'team_chat_sweep_age_seconds',
    help: 'Since the end of the last sweep, or since the start.',
    registers: [this.#registry],
  });
  readonly #mails = new Counter({
    name: 'team_chat_mails_total',
    help: 'Mails by result: sent, permanently refused, or failed and retried.',
    labelNames: ['result'],
    registers: [this.#registry],
  });
  /** The figures of each operation, looked up once by their labels. */
  readonly #byOperation = new Map<string, Figures>();
  #sweptMs = performance.now();

  /** @param endpoints the operations, whose memory on AWS determines their cost */
  constructor(endpoints: Record<string, AnyEndpoint>) {
    this.#endpoints = endpoints;
  }

  /** Counts each run; if wanted, the reply to a request has its consumed units. */
  around(inner: Around = justRun, { showsUnits = false }: { showsUnits?: boolean | undefined } = {}): Around {
    return (operation, run) =>
      countUnits(async (units) => {
        const figures = this.#byOperation.get(operation) ?? this.#figuresOf(operation);
        this.#byOperation.set(operation, figures);
        const beganMs = performance.now();
        figures.running.inc();
        let status = 'failed';
        try {
          const result = await inner(operation, run);
          status = isReply(result) ? String(result.statusCode) : 'done';
          if (operation === SWEEP) this.#sweptMs = performance.now();
          return showsUnits && isReply(result)
            ? { ...result, headers: { ...result.headers, ...unitHeaders(units) } }
            : result;
        } finally {
          figures.running.dec();
          figures.note(status, units, (performance.now() - beganMs) / 1_000);
        }
      });
  }

  #figuresOf(operation: string): Figures {
    const memoryGb = (this.#endpoints[operation]?.memoryMegabytes ?? DEFAULT_MEMORY_MB) / 1024;
    const seconds = this.#seconds.labels(operation);
    const readUnits = this.#units.labels(operation, 'read');
    const writeUnits = this.#units.labels(operation, 'write');
    const dollars = this.#dollars.labels(operation);
    return {
      running: this.#running.labels(operation),
      note: (status: string, units: ConsumedUnits, tookSeconds: number): void => {
        this.#runs.labels(operation, status).inc();
        seconds.observe(tookSeconds);
        readUnits.inc(units.read);
        writeUnits.inc(units.write);
        dollars.inc(dollarsOf(units) + dollarsOfCalls(1, memoryGb * tookSeconds));
      },
    };
  }

  /** Counts what became of a mail. */
  noteMail(result: MailResult): void {
    this.#mails.labels(result).inc();
  }

  /** The time from an entry's append until a waiting poll found it. */
  noteSeen(lagMs: number): void {
    this.#seen.observe(Math.max(0, lagMs) / 1000);
  }

  /** The figures, for callers on this machine who came through no proxy; nothing for any other. */
  async answer({ rawPath, headers, requestContext: { http } }: HttpEvent): Promise<HttpReply | undefined> {
    const isFromHere = THIS_MACHINE.test(http.sourceIp) && !headers['x-forwarded-for'] && !headers.forwarded;
    if (rawPath !== METRICS_PATH || http.method !== 'GET' || !isFromHere) return undefined;
    this.#sweepAge.set((performance.now() - this.#sweptMs) / 1000);
    return {
      statusCode: 200,
      headers: { 'Content-Type': this.#registry.contentType, 'Cache-Control': 'no-store' },
      body: await this.#registry.metrics(),
    };
  }
}

const isReply = (result: unknown): result is HttpReply =>
  typeof result === 'object' && result !== null && 'statusCode' in result;

const unitHeaders = ({ read, write }: ConsumedUnits) => ({
  'X-Consumed-Read-Units': String(read),
  'X-Consumed-Write-Units': String(write),
});
