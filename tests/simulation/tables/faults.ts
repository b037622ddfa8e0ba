import type { Random } from '#tests/simulation/random.ts';

/** The possible faults of one call from a process to the table, the files, the scheduler or the bus. */
export const faultNames = [
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
  /**
   * The whole process pauses for long, and then continues as if nothing had happened; the call is still to be made.
   */
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
  /** A file is not stored, and the caller sees an error. */
  'not-stored',
  /** A read of a file returns the contents from before it was replaced or removed. */
  'old-copy',
  /** A connection takes nothing at the moment. */
  'busy',
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
/** The bucket knows neither throttling nor conflicts. */
const FILE_READ_FAULTS: Fault[] = READ_FAULTS.filter((fault) => fault !== 'throttled');
const FILE_WRITE_FAULTS: Fault[] = WRITE_FAULTS.filter((fault) => fault !== 'throttled');

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
  expiry: [],
  'file-read': [...FILE_READ_FAULTS, 'old-copy'],
  'file-put': [...FILE_WRITE_FAULTS, 'not-stored'],
  'file-removal': FILE_WRITE_FAULTS,
  socket: [...WRITE_FAULTS, 'busy'],
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
  'not-stored': 0.1,
  'old-copy': 0.3,
  busy: 0.2,
};
const SHARE_OF_FAULTS = 0.7;
/** In a run with all faults: of calls that are rare. */
const RATE_OF_RARE: Partial<Record<Fault, number>> = { 'not-stored': 0.4, 'old-copy': 0.6 };
/** No process moves for minutes, and then each continues from its place. */
const HIGHEST_RATE_OF_NAPS = 0.001;
const MAX_NAPS = 4;
/** How far clocks may be from the right time. */
const MAX_SKEWS_MS = [0, 60, 60, 400];

export interface FaultOptions {
  /** The greatest frequency of some faults, if that is not the usual one. */
  highestRates?: Partial<Record<Fault, number>> | undefined;
  /** All of them happen, as often as they may. */
  hasAll?: boolean | undefined;
}

/** Which faults one run has, and how often. Each run lacks some, since faults can hide each other. */
export class Faults {
  readonly #random: Random;
  readonly #rates: Map<Fault, number>;
  readonly #napRate: number;
  maxSkewMs: number;
  #naps = 0;
  #isCalm = false;
  /** The number of each fault, including the world's own faults. */
  readonly counts = new Map<string, number>();

  constructor(random: Random, { highestRates = {}, hasAll = false }: FaultOptions = {}) {
    this.#random = random;
    const highest = { ...HIGHEST_RATE, ...highestRates, ...(hasAll && RATE_OF_RARE) };
    const chosen = faultNames.filter(() => random.chance(SHARE_OF_FAULTS) || hasAll);
    this.#rates = new Map(chosen.map((fault) => [fault, highest[fault] * (hasAll ? 1 : random.fraction())]));
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
    const drawn = possible[kind].find((fault) => this.#random.chance(this.#rates.get(fault) ?? 0));
    if (drawn) this.count(drawn);
    return drawn;
  }

  /** Notes that something went wrong. */
  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  drawNap(): boolean {
    const isNap = !this.#isCalm && this.#naps < MAX_NAPS && this.#random.chance(this.#napRate);
    if (isNap) this.#naps += 1;
    if (isNap) this.count('nap');
    return isNap;
  }
}
