import type { Random } from '#tests/simulation/random.ts';

/** What can go wrong with one call from a process to the table, the scheduler or the bus. */
const faultNames = [
  /** The process dies; the call was never made. */
  'crash-before',
  /** The process dies; the call took effect. */
  'crash-after',
  /** The process dies; the call takes effect some time later. */
  'crash-in-flight',
  /** The call took effect, but the caller sees a timeout. */
  'lost-reply',
  /** The caller sees a timeout, and the call takes effect some time later. */
  'late',
  /** The call took effect, the reply got lost, and the client library sent it again. */
  'resent',
  /** The call waits for longer than the log's grace; so does whatever follows in its process. */
  'delayed',
  /** The whole process stands still for long, and then goes on as if nothing had been; the call is still to be made. */
  'frozen',
  /** The same; the call took effect before. */
  'frozen-after',
  'throttled',
  /** Another write was under way on one of the items. */
  'conflict',
  /** An eventually consistent read answers with an older state. */
  'stale',
  /** A page ends before its bounds, as pages may. */
  'short',
] as const;
export type Fault = (typeof faultNames)[number];

const READ_FAULTS: Fault[] = ['crash-before', 'lost-reply', 'delayed', 'frozen', 'frozen-after', 'throttled'];
const WRITE_FAULTS: Fault[] = [
  'crash-before',
  'crash-after',
  'crash-in-flight',
  'lost-reply',
  'late',
  'resent',
  'delayed',
  'frozen',
  'frozen-after',
  'throttled',
];
const possible = {
  read: READ_FAULTS,
  'eventual-read': [...READ_FAULTS, 'stale'],
  page: [...READ_FAULTS, 'short'],
  'eventual-page': [...READ_FAULTS, 'stale', 'short'],
  write: WRITE_FAULTS,
  'conflicting-write': [...WRITE_FAULTS, 'conflict'],
  increment: WRITE_FAULTS,
  transaction: [...WRITE_FAULTS, 'conflict'],
  hint: WRITE_FAULTS,
} satisfies Record<string, Fault[]>;

/** Writes that are resent take care of themselves, or like an increment have an effect twice. */
export type CallKind = keyof typeof possible;

const HIGHEST_RATE: Record<Fault, number> = {
  'crash-before': 0.008,
  'crash-after': 0.015,
  'crash-in-flight': 0.015,
  'lost-reply': 0.02,
  late: 0.02,
  resent: 0.05,
  delayed: 0.03,
  frozen: 0.006,
  'frozen-after': 0.012,
  throttled: 0.01,
  conflict: 0.08,
  stale: 0.6,
  short: 0.1,
};
const SHARE_OF_FAULTS = 0.7;
/** No process moves for minutes, and then each goes on where it was. */
const HIGHEST_RATE_OF_NAPS = 0.001;
const MAX_NAPS = 4;
/** How far clocks may be from the right time. */
const MAX_SKEWS_MS = [0, 60, 60, 400];

/** Which faults one run has, and how often. Each run lacks some, since faults can hide each other. */
export class Faults {
  readonly #random: Random;
  readonly #rates: Map<Fault, number>;
  readonly #napRate: number;
  maxSkewMs: number;
  #naps = 0;
  #isCalm = false;

  constructor(random: Random, highestRates: Partial<Record<Fault, number>> = {}) {
    this.#random = random;
    const highest = { ...HIGHEST_RATE, ...highestRates };
    const chosen = faultNames.filter(() => random.chance(SHARE_OF_FAULTS));
    this.#rates = new Map(chosen.map((fault) => [fault, highest[fault] * random.fraction()]));
    this.#napRate = random.chance(SHARE_OF_FAULTS) ? HIGHEST_RATE_OF_NAPS * random.fraction() : 0;
    this.maxSkewMs = random.pick(MAX_SKEWS_MS);
  }

  /** From now on nothing goes wrong. */
  calm(): void {
    this.#isCalm = true;
  }

  /** From now on things go wrong again. */
  stir(): void {
    this.#isCalm = false;
  }

  draw(kind: CallKind): Fault | undefined {
    if (this.#isCalm) return undefined;
    return possible[kind].find((fault) => this.#random.chance(this.#rates.get(fault) ?? 0));
  }

  drawNap(): boolean {
    const isNap = !this.#isCalm && this.#naps < MAX_NAPS && this.#random.chance(this.#napRate);
    if (isNap) this.#naps += 1;
    return isNap;
  }
}
