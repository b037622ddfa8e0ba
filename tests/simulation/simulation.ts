import { setImmediate as quiet } from 'node:timers/promises';
import { Throttled, TransactionCanceled } from '#shared/table/table.ts';
import { type Call, NoReply, type Outcome, type Process } from './process.ts';
import { Random } from './random.ts';
import { type CallKind, type Fault, type FaultOptions, Faults } from './tables/faults.ts';
import { Turns } from './turns.ts';

interface Waiting {
  /** Work that nothing awaits any more belongs to no process. */
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

const START_MS = Date.UTC(2026, 0, 5, 9);
const DELAY_MS = [200, 1_200] as const;
const FREEZE_MS = [1_000, 4_000] as const;
const NAP_MS = [65_000, 200_000] as const;
/** So much time may pass from one call to the next in a run of five people; with more people calls follow sooner. */
const MAX_STEP_MS = 4;
const PEOPLE_OF_A_SMALL_RUN = 5;

export interface SimulationOptions {
  seed: number;
  /** How many people there will be. */
  people?: number;
  /** A run that takes more steps hangs. */
  maxSteps?: number;
  faults?: FaultOptions;
}

/**
 * Runs many processes of production code in one order that depends on the seed alone: each call waits until it is
 * picked, and only one is under way at a time. The clock moves with the steps; when every user sleeps, it jumps.
 */
export class Simulation {
  readonly random: Random;
  readonly faults: Faults;
  readonly trace: string[] = [];
  steps = 0;
  /** Processes that were started: requests, polls, workers. */
  processes = 0;
  readonly #maxStepMs: number;
  readonly #maxSteps: number;
  readonly #turns = new Turns<Waiting>();
  readonly #running = new Set<Process>();
  #elapsedMs = 0;

  constructor({ seed, people = PEOPLE_OF_A_SMALL_RUN, maxSteps = 20_000, faults }: SimulationOptions) {
    this.random = new Random(seed);
    this.faults = new Faults(this.random.fork('faults'), faults);
    this.#maxStepMs = (MAX_STEP_MS * PEOPLE_OF_A_SMALL_RUN) / people;
    this.#maxSteps = maxSteps;
  }

  /** The summary of it in the report of the run. */
  get report() {
    const { steps, processes, trace, faults } = this;
    return { steps, processes, trace, faults: Object.fromEntries(faults.counts) };
  }

  get nowMs(): number {
    return START_MS + Math.floor(this.#elapsedMs);
  }

  /** Starts a process of its own; resolves when it has ended or crashed. */
  start<Result>(name: string, act: (process: Process) => Promise<Result>): Promise<Outcome<Result>> {
    return this.runIn(this.open(name), act);
  }

  /** A process in which many requests can run. */
  open(name: string, isSteady = false): Process {
    const { promise: crashed, resolve } = Promise.withResolvers<{ kind: 'crashed' }>();
    const process: Process = {
      name: `${name}/${++this.processes}`,
      requests: 0,
      hasCrashed: false,
      isSteady,
      skewMs: this.random.between(-this.faults.maxSkewMs, this.faults.maxSkewMs),
      frozenUntilMs: 0,
      callCount: 0,
      crash: () => {
        process.hasCrashed = true;
        this.#running.delete(process);
        this.#abandonCallsOf(process);
        resolve({ kind: 'crashed' });
      },
      crashed,
    };
    return process;
  }

  /** Runs a request in a process; resolves when the request has ended or the process has crashed. */
  runIn<Result>(process: Process, act: (process: Process) => Promise<Result>): Promise<Outcome<Result>> {
    process.requests++;
    this.#running.add(process);
    const end = act(process)
      .finally(() => {
        process.requests--;
        if (process.requests === 0) this.#running.delete(process);
      })
      .then(
        (value): Outcome<Result> => ({ kind: 'done', value }),
        (failure): Outcome<Result> => ({ kind: 'failed', failure }),
      );
    return Promise.race([end, process.crashed]);
  }

  /** Makes a call when it is its turn. In a process that has crashed, it never is. */
  call<Result>(process: Process, call: Call<Result>): Promise<Result> {
    return this.#enqueue(process, {
      ...call,
      fromMs: this.nowMs,
      isSure: process.isSteady,
    }) as Promise<Result>;
  }

  /** Ends after the delay, or soon after the signal. */
  sleep(process: Process | undefined, delayMs: number, signal?: AbortSignal): Promise<void> {
    const run = async () => {};
    const what = { kind: 'sleep' as const, what: 'sleep', run, isSure: true };
    const wake = () => {
      for (const one of this.#turns.takeAll((waiting) => waiting.run === run))
        this.#turns.add({ ...one, fromMs: this.nowMs });
    };
    signal?.addEventListener('abort', wake, { once: true });
    const fromMs = signal?.aborted ? this.nowMs : this.nowMs + Math.ceil(delayMs);
    return this.#enqueue(process, { ...what, fromMs }) as Promise<void>;
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

  /** Whether a process does something that is no call, such as hashing a password: then no other user continues. */
  #isWorking(): boolean {
    for (const { callCount } of this.#running) if (callCount === 0) return true;
    return false;
  }

  async #step(): Promise<void> {
    if (++this.steps > this.#maxSteps) throw new Error('The run does not end');
    const waiting = this.#turns.take(this.nowMs, this.random);
    if (!waiting) return this.#skipTime();
    if ((waiting.process?.frozenUntilMs ?? 0) > this.nowMs) return this.#postpone(waiting);
    this.#elapsedMs += this.random.fraction() * this.#maxStepMs;
    if (this.faults.drawNap()) this.#nap();
    await this.#take(waiting);
  }

  /** To when something happens next. */
  #skipTime(): void {
    const nextMs = this.#turns.nextMs();
    if (nextMs === undefined) throw new Error('Every process waits for something that never comes');
    this.#elapsedMs = Math.max(this.#elapsedMs, nextMs - START_MS);
  }

  #nap(): void {
    this.#elapsedMs += this.random.between(...NAP_MS);
    this.trace.push(`${this.nowMs - START_MS} all processes take a nap`);
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
        return this.#turns.add({ ...waiting, isSure: true });
      case 'delayed':
        return this.#turns.add({ ...waiting, isSure: true, fromMs: this.#soon() });
      case 'frozen':
        return this.#freeze({ ...waiting, isSure: true });
      case 'frozen-after': {
        const reply = waiting.run(undefined);
        await ignoreFailure(reply);
        return this.#freeze({ ...waiting, isSure: true, run: () => reply });
      }
      case 'not-stored':
        return waiting.reject(new NoReply());
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
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (process) process.callCount++;
    const ended = (): void => {
      if (process) process.callCount--;
    };
    const call = {
      resolve: (value: unknown) => {
        ended();
        resolve(value);
      },
      reject: (failure: unknown) => {
        ended();
        reject(failure);
      },
    };
    if (!process?.hasCrashed) this.#turns.add({ ...what, ...call, process });
    return promise;
  }

  #freeze(waiting: Waiting): void {
    if (waiting.process) waiting.process.frozenUntilMs = this.nowMs + this.random.between(...FREEZE_MS);
    this.#postpone(waiting);
  }

  #postpone(waiting: Waiting): void {
    this.#turns.add({ ...waiting, fromMs: waiting.process?.frozenUntilMs ?? waiting.fromMs });
  }

  /** Each call that was under way when its process died may still take effect. */
  #abandonCallsOf(process: Process): void {
    const calls = this.#turns.takeAll((one) => one.process === process);
    for (const call of calls) if (call.kind !== 'sleep' && this.random.chance(0.5)) this.#detach(call);
  }

  #detach(waiting: Waiting): void {
    this.#turns.add({
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
