import { setImmediate as quiet } from 'node:timers/promises';
import { Throttled, TransactionCanceled } from '#shared/table/table.ts';
import { type CallKind, type Fault, Faults } from './faults.ts';
import { Random } from './random.ts';

/** One running request or invocation. After a crash it never goes on. */
export interface Process {
  name: string;
  hasCrashed: boolean;
  /** How far its clock is ahead of the world's. */
  skewMs: number;
  crash(): void;
}

/** How a request ended, as far as its caller can tell. */
export type Outcome<Result> =
  | { kind: 'done'; value: Result }
  | { kind: 'failed'; failure: unknown }
  | { kind: 'crashed' };

/** A call that waits for its turn. */
export interface Call<Result> {
  kind: CallKind;
  /** For the trace. */
  what: string;
  run(fault: Fault | undefined): Promise<Result>;
}

interface Waiting {
  /** What nobody waits for any more belongs to no process. */
  process: Process | undefined;
  kind: CallKind | 'sleep';
  what: string;
  fromMs: number;
  /** Nothing goes wrong any more: it did already. */
  isSure: boolean;
  run(fault: Fault | undefined): Promise<unknown>;
  resolve(value: unknown): void;
  reject(failure: unknown): void;
}

/** What the client library throws when no reply came. Whether the call took effect is unknown. */
export class NoReply extends Error {}

const START_MS = Date.UTC(2026, 0, 5, 9);
const MAX_STEP_MS = 4;
const MAX_SKEW_MS = 60;
const DELAY_MS = [200, 1_200] as const;
const MAX_STEPS = 8_000;

/**
 * Runs many processes of production code in one order that depends on the seed alone: each call waits until it is
 * picked, and only one is under way at a time. The clock moves with the steps; when everybody sleeps, it jumps.
 */
export class Simulation {
  readonly random: Random;
  readonly faults: Faults;
  readonly trace: string[] = [];
  nowMs = START_MS;
  steps = 0;
  /** A run that takes more never ends. */
  maxSteps = MAX_STEPS;
  #waiting: Waiting[] = [];
  #processes = 0;
  readonly #running = new Set<Process>();

  constructor(seed: number) {
    this.random = new Random(seed);
    this.faults = new Faults(this.random.fork('faults'));
  }

  /** Starts a process of its own; resolves when it has ended or crashed. */
  async start<Result>(name: string, act: (process: Process) => Promise<Result>): Promise<Outcome<Result>> {
    const crash = Promise.withResolvers<Outcome<Result>>();
    const process: Process = {
      name: `${name}/${++this.#processes}`,
      hasCrashed: false,
      skewMs: this.random.between(-MAX_SKEW_MS, MAX_SKEW_MS),
      crash: () => {
        process.hasCrashed = true;
        this.#running.delete(process);
        this.#abandonCallsOf(process);
        crash.resolve({ kind: 'crashed' });
      },
    };
    this.#running.add(process);
    const end = act(process)
      .finally(() => this.#running.delete(process))
      .then(
        (value): Outcome<Result> => ({ kind: 'done', value }),
        (failure): Outcome<Result> => ({ kind: 'failed', failure }),
      );
    return Promise.race([end, crash.promise]);
  }

  /** Makes a call when it is its turn. In a process that has crashed, it never is. */
  call<Result>(process: Process, call: Call<Result>): Promise<Result> {
    return this.#enqueue(process, { ...call, fromMs: this.nowMs, isSure: false }) as Promise<Result>;
  }

  sleep(process: Process | undefined, delayMs: number): Promise<void> {
    const sleep = { kind: 'sleep' as const, what: 'sleep', run: async () => {} };
    return this.#enqueue(process, {
      ...sleep,
      fromMs: this.nowMs + delayMs,
      isSure: true,
    }) as Promise<void>;
  }

  /** Runs until the work is done. */
  async run(work: Promise<unknown>): Promise<void> {
    let isDone = false;
    const end = work.finally(() => {
      isDone = true;
    });
    end.catch(() => {});
    for (;;) {
      do await quiet();
      while (this.#isWorking());
      if (isDone) return void (await end);
      await this.#step();
    }
  }

  /** Whether a process does something that is no call, such as hashing a password: then nobody else goes on. */
  #isWorking(): boolean {
    const waiting = new Set(this.#waiting.map(({ process }) => process));
    return [...this.#running].some((process) => !waiting.has(process));
  }

  async #step(): Promise<void> {
    if (++this.steps > this.maxSteps) throw new Error('The run does not end');
    const ready = this.#waiting.filter(({ fromMs }) => fromMs <= this.nowMs);
    if (ready.length === 0) {
      if (this.#waiting.length === 0) throw new Error('Everybody waits for something that never comes');
      this.nowMs = Math.min(...this.#waiting.map(({ fromMs }) => fromMs));
      return;
    }
    this.nowMs += this.random.between(0, MAX_STEP_MS);
    const waiting = this.random.pick(ready);
    this.#waiting = this.#waiting.filter((one) => one !== waiting);
    await this.#take(waiting);
  }

  async #take(waiting: Waiting): Promise<void> {
    const { process, kind, what, isSure } = waiting;
    const fault = isSure || kind === 'sleep' ? undefined : this.faults.draw(kind);
    if (kind !== 'sleep')
      this.trace.push(`${this.nowMs - START_MS} ${process?.name ?? 'nobody'} ${what} ${fault ?? ''}`);
    switch (fault) {
      case 'crash-before':
        return process?.crash();
      case 'crash-after':
        await ignoreFailure(waiting.run(undefined));
        return process?.crash();
      case 'crash-in-flight':
        this.#detach(waiting);
        return process?.crash();
      case 'lost-reply':
        await ignoreFailure(waiting.run(undefined));
        return waiting.reject(new NoReply());
      case 'late':
        this.#detach(waiting);
        return waiting.reject(new NoReply());
      case 'resent':
        await ignoreFailure(waiting.run(undefined));
        this.#waiting.push({ ...waiting, isSure: true });
        return;
      case 'delayed':
        this.#waiting.push({ ...waiting, isSure: true, fromMs: this.#soon() });
        return;
      case 'throttled':
        return waiting.reject(new Throttled());
      case 'conflict':
        return waiting.reject(new TransactionCanceled([], true));
      default:
        await waiting.run(fault).then(waiting.resolve, waiting.reject);
    }
  }

  #enqueue(
    process: Process | undefined,
    what: Pick<Waiting, 'kind' | 'what' | 'run' | 'fromMs' | 'isSure'>,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (!process?.hasCrashed) this.#waiting.push({ ...what, process, resolve, reject });
    });
  }

  /** Each call that was under way when its process died may still take effect. */
  #abandonCallsOf(process: Process): void {
    const calls = this.#waiting.filter((one) => one.process === process);
    this.#waiting = this.#waiting.filter((one) => one.process !== process);
    for (const call of calls) if (call.kind !== 'sleep' && this.random.chance(0.5)) this.#detach(call);
  }

  #detach(waiting: Waiting): void {
    this.#waiting.push({
      ...waiting,
      process: undefined,
      isSure: true,
      fromMs: this.#soon(),
      resolve: () => {},
      reject: () => {},
    });
  }

  #soon(): number {
    return this.nowMs + this.random.between(...DELAY_MS);
  }
}

async function ignoreFailure(call: Promise<unknown>): Promise<void> {
  await call.catch(() => {});
}
