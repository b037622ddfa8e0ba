import { getEvents } from '#functions/events/get-events.ts';
import { registerQueue } from '#functions/events/register-queue.ts';
import { dollarsOf, dollarsOfCalls, prices, type Units } from '#infra/prices.ts';
import { kinds, timesAnHour } from './busy-hour.ts';
import type { Sample, Spent } from './hour.ts';

/** One line of the hour: the number of times, the units each time, the total costs. */
export interface Line {
  what: string;
  count: number;
  each: Units & { bytes: number };
  gbSecondsEach: number;
  capacityDollars: number;
  /** Gateway, requests and the time of functions. */
  computeDollars: number;
}

export interface Ledger {
  lines: Line[];
  messages: number;
  clients: number;
  /** Values of one connected client in this hour. */
  client: { polls: number; looks: number; read: number; write: number; holdDollars: number; dollars: number };
  /** The design that copies each event to every live queue, if it differs. */
  copying: { copies: number; read: number; write: number; capacityDollars: number };
  /** Capacity of the whole hour. */
  units: Units;
}

/** The hours a month of people who are connected on working days. */
export const HOURS_PER_MONTH = 176;
const SWEEPS_PER_HOUR = 12;
const HOUR_MS = 3_600_000;
const DEFAULT_MEMORY_MB = 512;
/** Not measured but assumed: the billed time of a function for a request without waiting, and for a sweep. */
export const ASSUMED_MS = { request: 60, sweep: 2_000 };

const gbSeconds = (memoryMb: number, ms: number): number => (memoryMb / 1024) * (ms / 1000);

/** The hour that a sample represents, at list prices. */
export function toLedger(sample: Sample): Ledger {
  const actions = kinds.map((kind) => {
    const memoryMb = (kind === 'register' && registerQueue.memoryMegabytes) || DEFAULT_MEMORY_MB;
    return toLine(
      kind,
      sample.actions.get(kind),
      timesAnHour(kind, sample.people),
      gbSeconds(memoryMb, ASSUMED_MS.request),
    );
  });
  const sweeps = toLine(
    'sweep',
    sample.sweep,
    SWEEPS_PER_HOUR,
    gbSeconds(DEFAULT_MEMORY_MB, ASSUMED_MS.sweep),
  );
  const perClient = HOUR_MS / sample.polls.heldMs;
  const scale = perClient * sample.clients;
  const pollMemoryMb = getEvents.memoryMegabytes ?? DEFAULT_MEMORY_MB;
  const { polls } = sample;
  const heldMs = polls.heldMs / polls.count;
  const polling = toLine(
    `poll, waiting ${(heldMs / 1000).toFixed(1)} s`,
    polls,
    polls.count * scale,
    gbSeconds(pollMemoryMb, heldMs + ASSUMED_MS.request),
  );
  const lines = [...actions, sweeps, polling];
  const units = {
    read: sum(lines, ({ count, each }) => count * each.read),
    write: sum(lines, ({ count, each }) => count * each.write),
  };
  return {
    lines,
    units,
    messages: timesAnHour('channel message', sample.people) + timesAnHour('direct message', sample.people),
    clients: sample.clients,
    client: {
      polls: polls.count * perClient,
      looks: polls.looks * perClient,
      read: polls.read * perClient,
      write: polls.write * perClient,
      holdDollars: gbSeconds(pollMemoryMb, polls.heldMs * perClient) * prices.lambda.perGbSecond,
      dollars: (polling.capacityDollars + polling.computeDollars) / sample.clients,
    },
    copying: copyingInstead(sample, units, scale),
  };
}

/** Copies are written instead of entries for events alone, and looks read the queue's own partition. */
function copyingInstead({ polls, copies, minutes }: Sample, units: Units, scale: number): Ledger['copying'] {
  const perHour = 60 / minutes;
  const write = units.write + (copies.write - copies.spared) * perHour;
  // Account and queue of each poll, and looks without events, since all events are for others.
  const read = units.read - polls.read * scale + (2 * polls.count + 0.5 * polls.looks) * scale;
  return { copies: copies.copies * perHour, read, write, capacityDollars: dollarsOf({ read, write }) };
}

function toLine(what: string, spent: Spent | undefined, count: number, gbSecondsEach: number): Line {
  const { count: sampled, read, write, bytes } = spent ?? { count: 1, read: 0, write: 0, bytes: 0 };
  const each = { read: read / sampled, write: write / sampled, bytes: bytes / sampled };
  return {
    what,
    count,
    each,
    gbSecondsEach,
    capacityDollars: count * dollarsOf(each),
    computeDollars: dollarsOfCalls(count, count * gbSecondsEach),
  };
}

export const sum = <One>(all: One[], of: (one: One) => number): number =>
  all.reduce((total, one) => total + of(one), 0);

/** The whole hour in dollars. */
export const hourDollars = ({ lines }: Ledger): number =>
  sum(lines, ({ capacityDollars, computeDollars }) => capacityDollars + computeDollars);
