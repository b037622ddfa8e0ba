import { POLLS_PER_PROCESS } from '#infra/poller/limits.ts';
import { dollarsOf, prices } from '#infra/prices.ts';
import { restMsOf } from '#shared/domain/sockets/parts.ts';
import { PATIENCE_MS } from '#shared/queues/socket/may-wait.ts';
import { defaultConfig } from '#shared/runtime/config.ts';
import {
  ASSUMED,
  type Measured,
  type MeasuredLine,
  type MeasuredTeam,
  monthlyBill,
  totalOf,
} from './costs.ts';
import { ASSUMED_MS, HOURS_PER_MONTH, sum } from './ledger.ts';
import { findPolls, type Waiting } from './waiting.ts';

/** How clients may wait. */
export const ways = ['socket', 'function', 'webFunction'] as const;
export type Way = (typeof ways)[number];

/** The cost of waiting in an hour, in dollars. */
export interface WaitingDollars {
  /** The time of functions, and memory of processes. */
  compute: number;
  /** Requests, texts and connections. */
  requests: number;
  capacity: number;
  /** Log lines, and transfer to the clients. */
  rest: number;
}

const HOUR_SECONDS = 3_600;
const HOUR_MS = 1_000 * HOUR_SECONDS;

/** Not measured but assumed, of sockets on AWS. */
export const ASSUMED_SOCKET = {
  /** A run of the pusher, and each text of it; so many are on their way at once. */
  runMs: 60,
  textMs: 15,
  textsAtOnce: 10,
  memoryGb: 0.5,
  /** The interval in which Lambda polls a stream; records meanwhile are one run. */
  runsPerSecond: 4,
  /** The interval in which the second reader of the stream runs while events happen, for deferred events. */
  lateRunsPerHour: HOUR_MS / PATIENCE_MS,
  /** A connection ends after two hours, and a client sends a text when none came for so long. */
  opensPerHour: 0.5,
  pingMinutes: 9,
  /** A client opens a socket, and leaves it; the gateway calls a function for both. Counted by `tests/api/sockets/wake-ups.test.ts`. */
  visitUnits: { read: 8, write: 6 },
  callsOfVisit: 2,
};
/** Counted by `tests/api/sockets/capacity.test.ts`: a run of the pusher beside the list of connections, ten of which are a unit. */
export const RUN_UNITS = { read: 2.5, write: 2, perConnection: 0.1 };

/** The pushers of an organization with so many sockets, each for a part of them. */
export const pushersOf = (clients: number): number =>
  Math.max(1, Math.ceil(clients / defaultConfig.socketsOfPusher));

/** The runs of each pusher in a second, in which something may happen. */
export const runsPerSecondOf = (clients: number): number =>
  Math.min(ASSUMED_SOCKET.runsPerSecond, 1_000 / restMsOf(clients));

const GB = 1024 ** 3;

/** Waiting in a function for each poll. */
function byFunction(line: MeasuredLine): WaitingDollars {
  const { timesAnHour: polls, gbSeconds, bytes } = line;
  const { gateway, service } = ASSUMED.logBytes;
  const { lambda, cloudWatch, transfer } = prices;
  return {
    compute: polls * gbSeconds * lambda.perGbSecond,
    requests: polls * (lambda.perRequest + prices.gateway.perRequest),
    capacity: polls * dollarsOf({ read: line.readUnits, write: line.writeUnits }),
    rest: (polls * ((gateway + service) * cloudWatch.logsPerGb + bytes * transfer.perGbToInternet)) / GB,
  };
}

/** Waiting in web functions, by the billed items. */
interface WebFunctionDollars {
  /** Of processes, for as long as they hold a poll. */
  memory: number;
  processors: number;
  /** At the front and at the function. */
  polls: number;
  /** At the front, which all of them pass. */
  otherRequests: number;
  reads: number;
  writes: number;
  rest: number;
}

/** Waiting in processes that hold many polls, behind a distribution which all other requests pass as well. */
function webFunctionDollars(
  { poller }: Measured,
  clients: number,
  { polls, readUnits, writeUnits, bytes, lookUnits }: Waiting,
  others: number,
): WebFunctionDollars {
  const { cloudFront, assumedWebFunction, cloudWatch } = prices;
  const processes = Math.ceil(clients / POLLS_PER_PROCESS);
  const front = cloudFront.perRequest + cloudFront.perFunctionCall;
  const heldGb = (processes * poller.residentMebibytes) / 1024;
  return {
    memory: heldGb * HOUR_SECONDS * assumedWebFunction.perGbSecond,
    processors: ((polls * poller.cpuMsPerAnswer) / 1000) * assumedWebFunction.perProcessorSecond,
    polls: polls * (front + assumedWebFunction.perRequest),
    otherRequests: others * front,
    reads: dollarsOf({ read: polls * readUnits + processes * lookUnits, write: 0 }),
    writes: dollarsOf({ read: 0, write: polls * writeUnits }),
    rest:
      (polls * (ASSUMED.logBytes.service * cloudWatch.logsPerGb + bytes * cloudFront.perGbToInternet)) / GB,
  };
}

function byWebFunction(...of: Parameters<typeof webFunctionDollars>): WaitingDollars {
  const { memory, processors, polls, otherRequests, reads, writes, rest } = webFunctionDollars(...of);
  return {
    compute: memory + processors,
    requests: polls + otherRequests,
    capacity: reads + writes,
    rest,
  };
}

/** The requests of a team that are no polls, in a busy hour. */
const otherRequests = ({ lines }: MeasuredTeam): number =>
  sum(lines, ({ timesAnHour }) => timesAnHour) - findPolls(lines).timesAnHour;

/** Waiting at sockets, by the billed items, of which only the texts grow with the events of each client. */
interface SocketDollars {
  texts: number;
  /** Connection minutes, pings, and coming and going. */
  connections: number;
  /** The time of the pusher. */
  runs: number;
  capacity: number;
  /** Log lines, and transfer to the clients. */
  rest: number;
}

/** Waiting at sockets, to which pushers post. Nothing is read or written, and no function runs, while nothing happens. */
function socketDollars(clients: number, waiting: Waiting): SocketDollars {
  const { entries, bytes } = waiting;
  const { lambda, webSocket, cloudWatch, transfer } = prices;
  const { runMs, textMs, textsAtOnce, memoryGb, lateRunsPerHour } = ASSUMED_SOCKET;
  const { opensPerHour, pingMinutes, visitUnits, callsOfVisit } = ASSUMED_SOCKET;
  const pushers = pushersOf(clients);
  const runsOfEach = Math.min(entries, runsPerSecondOf(clients) * HOUR_SECONDS);
  const texts = Math.min(waiting.texts, clients * runsOfEach);
  const runs = pushers * (runsOfEach + Math.min(entries, lateRunsPerHour));
  const opens = clients * opensPerHour;
  const calls = opens * callsOfVisit;
  // A client that received something within that time need not ping.
  const pings = Math.max(0, clients * (60 / pingMinutes) - texts) * 2;
  // Several pushers stay where they are while anything happens.
  const busySeconds = (runs * runMs + (texts * textMs) / textsAtOnce) / 1000;
  const pushSeconds =
    pushers > 1 && entries > 0 ? Math.max(busySeconds, pushers * HOUR_SECONDS) : busySeconds;
  const callSeconds = (calls * ASSUMED_MS.request) / 1000;
  const { read, write, perConnection } = RUN_UNITS;
  const perSecond = memoryGb * lambda.perGbSecond;
  return {
    texts: texts * webSocket.perMessage,
    connections:
      clients * 60 * webSocket.perConnectionMinute +
      (pings + 2 * opens) * webSocket.perMessage +
      calls * lambda.perRequest +
      callSeconds * perSecond,
    runs: runs * lambda.perRequest + pushSeconds * perSecond,
    capacity:
      runs * dollarsOf({ read: read + (perConnection * clients) / pushers, write }) +
      opens * dollarsOf(visitUnits),
    rest:
      ((runs + calls) * ASSUMED.logBytes.service * cloudWatch.logsPerGb +
        texts * bytes * transfer.perGbToInternet) /
      GB,
  };
}

function bySocket(clients: number, waiting: Waiting): WaitingDollars {
  const { texts, connections, runs, capacity, rest } = socketDollars(clients, waiting);
  return { compute: runs, requests: texts + connections, capacity, rest };
}

/** The busy hour of a team, all of its clients together. */
export function busyWaiting(measured: Measured, team: MeasuredTeam, way: Way): WaitingDollars {
  const poll = findPolls(team.lines);
  if (way === 'function') return byFunction(poll);
  return way === 'webFunction'
    ? byWebFunction(measured, team.clients, team.waiting, otherRequests(team))
    : bySocket(team.clients, team.waiting);
}

/** The hour of so many clients that are open while nothing happens. */
export function idleWaiting(
  { idleClient, ...measured }: Measured,
  clients: number,
  way: Way,
): WaitingDollars {
  const { clients: sampled, waiting } = measured.idleWaiting;
  const share = clients / sampled;
  if (way === 'function') {
    const poll = findPolls(idleClient);
    return byFunction({ ...poll, timesAnHour: poll.timesAnHour * clients });
  }
  const scaled = { ...waiting, polls: waiting.polls * share, answered: 0, texts: 0, entries: 0 };
  const others = clients * (HOUR_SECONDS / 60);
  return way === 'webFunction'
    ? byWebFunction({ ...measured, idleClient }, clients, scaled, others)
    : bySocket(clients, scaled);
}

export const totalWaiting = ({ compute, requests, capacity, rest }: WaitingDollars): number =>
  compute + requests + capacity + rest;

/** The cost of waiting for a team in a month of so many hours, of which 176 are busy. */
export function monthOfWaiting(
  measured: Measured,
  team: MeasuredTeam,
  { way, hours }: { way: Way; hours: number },
): number {
  const idleHours = Math.max(0, hours - HOURS_PER_MONTH);
  return (
    HOURS_PER_MONTH * totalWaiting(busyWaiting(measured, team, way)) +
    idleHours * totalWaiting(idleWaiting(measured, team.clients, way))
  );
}

/** The whole bill of a team's month in which its clients wait in this way. */
export function monthBy(
  measured: Measured,
  team: MeasuredTeam,
  { way, hours }: { way: Way; hours: number },
): number {
  const bill = totalOf(monthlyBill(measured, team, hours));
  return (
    bill -
    monthOfWaiting(measured, team, { way: 'function', hours }) +
    monthOfWaiting(measured, team, { way, hours })
  );
}

/** The most clients for which a web function costs more than functions, should AWS bill the 2 GB of an environment. */
export const clientsWorthAProcess = ({ idleClient }: Measured): number =>
  Math.ceil(
    (2 * HOUR_SECONDS * prices.assumedWebFunction.perGbSecond) / byFunction(findPolls(idleClient)).compute,
  );
