import { prices } from '#infra/prices.ts';
import type { PollerLoad } from '../poller.ts';
import { HOURS_PER_MONTH, type Ledger, type Line } from './ledger.ts';
import type { Waiting } from './waiting.ts';

/** One type of call of a team: how often in a busy hour, and the cost of each. */
export interface MeasuredLine {
  what: string;
  timesAnHour: number;
  readUnits: number;
  writeUnits: number;
  gbSeconds: number;
  /** Bytes of the answer, as sent. */
  bytes: number;
}

/** The busy hour of a team. */
export interface MeasuredTeam {
  people: number;
  clients: number;
  messagesAnHour: number;
  lines: MeasuredLine[];
  /** If its clients do not each wait in a function. */
  waiting: Waiting;
}

/** The measurement of `npm run bench -- costs`, kept in `measured.json`. */
export interface Measured {
  teams: MeasuredTeam[];
  /** A short sample, which tests repeat, to notice when the figures of the teams are out of date. */
  check: MeasuredTeam;
  /** The hour of one client that is open while no one does anything. */
  idleClient: MeasuredLine[];
  idleWaiting: { clients: number; waiting: Waiting };
  /** The measurement of `npm run bench -- poller` at the same time. */
  poller: PollerLoad;
}

export const HOURS_OF_MONTH = 730;
const SWEEP = 'sweep';
const PRESENCE = 'presence report';
const PRESENCE_PER_HOUR = 60;
const GB = 1024 ** 3;

/** Not measured but assumed. */
export const ASSUMED = {
  /** Stored for a message of 200 characters, with its indexes. */
  messageBytes: 3_000,
  storedMonths: 12,
  /** One person's uploads in a month, and how often each file is loaded. */
  uploadedBytes: 25 * 1024 ** 2,
  loadsOfFile: 4,
  /** Log lines of a request: that of the gateway and that of the service, each with CloudWatch's additions. */
  logBytes: { gateway: 176, service: 270 },
  /** Metrics that alarms watch, and a metric of our own, which costs in the hours in which clients poll. */
  alarmMetrics: 3,
  ownMetrics: 1,
  /** Calls of the sweep in an hour, and the cost of one without work. The first of an hour sweeps. */
  sweepCalls: { timesAnHour: 12, readUnits: 3, gbSeconds: 0.03 },
};

/** The costs of a month, by service, in dollars. */
export type Bill = Record<(typeof services)[number], number>;

export const services = [
  'Lambda',
  'API Gateway',
  'DynamoDB requests',
  'DynamoDB storage',
  'S3',
  'data transfer',
  'CloudWatch',
] as const;

const rounded = (value: number): number => Number(value.toPrecision(5));

/** The part of a ledger that costs follow from. */
export function toMeasuredTeam(ledger: Ledger, people: number): Omit<MeasuredTeam, 'waiting'> {
  return {
    people,
    clients: ledger.clients,
    messagesAnHour: ledger.messages,
    lines: ledger.lines.map((line) => toMeasuredLine(line, line.count)),
  };
}

/** The hour of one client of a ledger without actions, and its reports of presence, each as in a busy hour. */
export function toIdleClient({ lines, clients }: Ledger, { lines: busy }: MeasuredTeam): MeasuredLine[] {
  const polling = lines.find(({ what }) => what.startsWith('poll'));
  const presence = busy.find(({ what }) => what === PRESENCE);
  if (!polling || !presence) throw new Error('The ledger has no polls, or no reports of presence');
  return [toMeasuredLine(polling, polling.count / clients), { ...presence, timesAnHour: PRESENCE_PER_HOUR }];
}

const toMeasuredLine = ({ what, each, gbSecondsEach }: Line, timesAnHour: number): MeasuredLine => ({
  what,
  timesAnHour: rounded(timesAnHour),
  readUnits: rounded(each.read),
  writeUnits: rounded(each.write),
  gbSeconds: rounded(gbSecondsEach),
  bytes: Math.round(each.bytes),
});

/** The bill of a month, by the hours that a team's clients are open, 176 of them busy. */
export function monthlyBill(
  { idleClient }: Measured,
  { people, clients, messagesAnHour, lines }: MeasuredTeam,
  openHours: number,
): Bill {
  const idleHours = clients * Math.max(0, openHours - HOURS_PER_MONTH);
  const calls = [
    ...lines.map((line) => ({
      ...line,
      times:
        line.timesAnHour * HOURS_PER_MONTH + (line.what === SWEEP ? HOURS_OF_MONTH - HOURS_PER_MONTH : 0),
    })),
    ...quietCalls(HOURS_OF_MONTH - HOURS_PER_MONTH),
    ...idleClient.map((line) => ({ ...line, times: line.timesAnHour * idleHours })),
  ];
  const total = (of: (line: MeasuredLine) => number): number =>
    calls.reduce((sum, line) => sum + line.times * of(line), 0);
  const invocations = total(() => 1);
  const requests = total(({ what }) => (what === SWEEP ? 0 : 1));
  const storedGb = (people * ASSUMED.uploadedBytes) / GB;
  const messageGb = (messagesAnHour * HOURS_PER_MONTH * ASSUMED.storedMonths * ASSUMED.messageBytes) / GB;
  const { dynamodb, lambda, gateway, s3, transfer } = prices;
  return {
    Lambda: invocations * lambda.perRequest + total(({ gbSeconds }) => gbSeconds) * lambda.perGbSecond,
    'API Gateway': requests * gateway.perRequest,
    'DynamoDB requests':
      total(({ readUnits }) => readUnits) * dynamodb.perReadUnit +
      total(({ writeUnits }) => writeUnits) * dynamodb.perWriteUnit,
    'DynamoDB storage': messageGb * (dynamodb.storagePerGbMonth + dynamodb.pointInTimeRecoveryPerGbMonth),
    S3: storedGb * ASSUMED.storedMonths * s3.storagePerGbMonth,
    'data transfer':
      (total(({ bytes }) => bytes) / GB + storedGb * ASSUMED.loadsOfFile) * transfer.perGbToInternet,
    CloudWatch: cloudWatchDollars(requests, clients > 0 ? openHours : 0),
  };
}

/** The calls of the sweep that find nothing to do. */
const quietCalls = (hours: number): (MeasuredLine & { times: number })[] => {
  const { timesAnHour, ...each } = ASSUMED.sweepCalls;
  return [{ what: SWEEP, timesAnHour, writeUnits: 0, bytes: 0, ...each, times: (timesAnHour - 1) * hours }];
};

/** A month without any use of the service, at list prices, and with the free tier of every account. */
export interface RestDollars {
  atListPrice: number;
  /** The bill beyond the tier that is always free; it does not include stored data. */
  beyondFree: number;
  /** The data that the team has stored until then. */
  storage: number;
}

/** The month of a team that keeps its data and does nothing. */
export function restDollars(measured: Measured, team: MeasuredTeam): RestDollars {
  const sweep = team.lines.find(({ what }) => what === SWEEP);
  if (!sweep) throw new Error('The team has no sweep');
  const calls = [{ ...sweep, times: HOURS_OF_MONTH }, ...quietCalls(HOURS_OF_MONTH)];
  const total = (of: (line: MeasuredLine) => number): number =>
    calls.reduce((sum, line) => sum + line.times * of(line), 0);
  const { alwaysFree, cloudWatch, dynamodb, lambda } = prices;
  const beyond = (amount: number, free: number): number => Math.max(0, amount - free);
  const table =
    total(({ readUnits }) => readUnits) * dynamodb.perReadUnit +
    total(({ writeUnits }) => writeUnits) * dynamodb.perWriteUnit;
  const running = (requests: number, gbSeconds: number): number =>
    requests * lambda.perRequest + gbSeconds * lambda.perGbSecond;
  const [requests, gbSeconds] = [total(() => 1), total((line) => line.gbSeconds)];
  const bill = monthlyBill(measured, team, HOURS_PER_MONTH);
  return {
    atListPrice: table + running(requests, gbSeconds) + ASSUMED.alarmMetrics * cloudWatch.perAlarmMonth,
    beyondFree:
      table +
      running(beyond(requests, alwaysFree.lambdaRequests), beyond(gbSeconds, alwaysFree.lambdaGbSeconds)) +
      beyond(ASSUMED.alarmMetrics, alwaysFree.alarmMetrics) * cloudWatch.perAlarmMonth,
    storage: bill['DynamoDB storage'] + bill.S3,
  };
}

/** A metric of our own is billed by the hours in which it has a value. */
function cloudWatchDollars(requests: number, openHours: number): number {
  const { logsPerGb, perAlarmMonth, perMetricMonth } = prices.cloudWatch;
  const bytes = requests * (ASSUMED.logBytes.gateway + ASSUMED.logBytes.service);
  return (
    (bytes / GB) * logsPerGb +
    ASSUMED.alarmMetrics * perAlarmMonth +
    ASSUMED.ownMetrics * perMetricMonth * (openHours / HOURS_OF_MONTH)
  );
}

export const totalOf = (bill: Bill): number => services.reduce((sum, name) => sum + bill[name], 0);

/** The cost of one client that is open for an hour and receives nothing. */
export function idleClientHour({ idleClient }: Measured): { waiting: number; total: number } {
  const sum = (of: (line: MeasuredLine) => number): number =>
    idleClient.reduce((all, line) => all + line.timesAnHour * of(line), 0);
  const { lambda, gateway, dynamodb, cloudWatch, transfer } = prices;
  const { logBytes } = ASSUMED;
  const [poll] = idleClient;
  return {
    waiting: poll ? poll.timesAnHour * poll.gbSeconds * lambda.perGbSecond : 0,
    total:
      sum(({ gbSeconds }) => gbSeconds) * lambda.perGbSecond +
      sum(() => 1) * (lambda.perRequest + gateway.perRequest) +
      sum(({ readUnits }) => readUnits) * dynamodb.perReadUnit +
      sum(({ writeUnits }) => writeUnits) * dynamodb.perWriteUnit +
      (sum(() => logBytes.gateway + logBytes.service) / GB) * cloudWatch.logsPerGb +
      (sum(({ bytes }) => bytes) / GB) * transfer.perGbToInternet,
  };
}

/** How many people cost as much as a virtual machine, between the teams that were measured. */
export function breakEvenPeople(measured: Measured, openHours: number): number {
  const { perMonth } = prices.virtualMachine;
  const points = measured.teams.map((team) => ({
    people: team.people,
    dollars: totalOf(monthlyBill(measured, team, openHours)),
  }));
  const next = Math.max(
    1,
    points.findIndex(({ dollars }) => dollars > perMonth),
  );
  const [below, above] = [points[next - 1], points[next]];
  if (!below || !above) throw new Error('No team costs more than the virtual machine');
  const share = (perMonth - below.dollars) / (above.dollars - below.dollars);
  return Math.max(0, Math.round(below.people + share * (above.people - below.people)));
}
