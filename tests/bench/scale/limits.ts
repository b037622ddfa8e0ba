import { POLLS_PER_PROCESS } from '#infra/poller/limits.ts';
import { PARTS } from '#shared/domain/sockets/parts.ts';
import { LogPace } from '#shared/log/pace.ts';
import type { MeasuredTeam } from '../hour/costs.ts';
import { ASSUMED_MS, sum } from '../hour/ledger.ts';
import { ASSUMED_SOCKET, pushersOf, RUN_UNITS, runsPerSecondOf, type Way } from '../hour/transports.ts';

/** A quota of a service, and how much of it an organization needs. */
export interface Limit {
  what: string;
  /** A limit of the service, or of this deployment by default. */
  quota: number;
  unit: string;
  /** The need of the busy hour, by the way in which clients wait. */
  asked(team: MeasuredTeam, way: Way): number;
  /** The step that raises the limit. */
  lift: string;
  /** The cost of that step. */
  price: string;
}

const HOUR = 3_600;
/** After a failure of the network all clients come back within a minute. */
const RETURN_SECONDS = 60;
/** Entries that are one put of one unit; others are in transactions, which take two. */
const MESSAGE_SHARE = 0.2;
const UNITS_OF_ENTRY = MESSAGE_SHARE + 2 * (1 - MESSAGE_SHARE);
/** One scheduled message for so many people becomes due in the same minute. */
const PEOPLE_PER_SCHEDULED = 10;

/** Not measured but assumed: the size of a message in the log. */
const ENTRY_BYTES = 1_000;
const HALF_UNIT = 0.5;
const HALF_UNIT_BYTES = 4_096;
/** Not measured but assumed: the account and subscriptions of a socket, which its pusher reads once a minute. */
const UNITS_OF_READER = 5;
const DENSEST_LOOK_MS = 50;

const pollsASecond = ({ lines, waiting }: MeasuredTeam, way: Way): number => {
  if (way === 'socket') return 0;
  if (way === 'webFunction') return waiting.polls / HOUR;
  return (lines.find(({ what }) => what.startsWith('poll'))?.timesAnHour ?? 0) / HOUR;
};
const callsASecond = ({ lines }: MeasuredTeam): number =>
  sum(
    lines.filter(({ what }) => !what.startsWith('poll') && what !== 'sweep'),
    ({ timesAnHour }) => timesAnHour,
  ) / HOUR;
/** AWS limits each route by itself. */
const busiestASecond = ({ lines }: MeasuredTeam): number =>
  Math.max(...lines.flatMap(({ what, timesAnHour }) => (what.startsWith('poll') ? [] : [timesAnHour]))) /
  HOUR;
const entriesASecond = ({ waiting }: MeasuredTeam): number => waiting.entries / HOUR;
/** Of each pusher. */
const runsASecond = (team: MeasuredTeam): number =>
  Math.min(entriesASecond(team), runsPerSecondOf(team.clients));
/** No connection gets more texts than there are runs. */
const textsASecond = (team: MeasuredTeam): number =>
  Math.min(team.waiting.texts / HOUR, team.clients * runsASecond(team));
const processes = ({ clients }: MeasuredTeam): number => Math.ceil(clients / POLLS_PER_PROCESS);
const inAll = (team: MeasuredTeam, unit: 'readUnits' | 'writeUnits'): number =>
  sum(
    team.lines.filter(({ what }) => !what.startsWith('poll')),
    (line) => line.timesAnHour * line[unit],
  ) / HOUR;
const pollUnits = (team: MeasuredTeam, way: Way, unit: 'readUnits' | 'writeUnits'): number => {
  if (way === 'function') {
    const poll = team.lines.find(({ what }) => what.startsWith('poll'));
    return poll ? (poll.timesAnHour * poll[unit]) / HOUR : 0;
  }
  if (way === 'webFunction') return (team.waiting.polls * team.waiting[unit]) / HOUR;
  const { clients } = team;
  const runs = runsASecond(team) * pushersOf(clients);
  if (unit === 'writeUnits') return runs * RUN_UNITS.write;
  const readers = (clients * UNITS_OF_READER) / 60;
  return runs * RUN_UNITS.read + runsASecond(team) * RUN_UNITS.perConnection * clients + readers;
};

/** The reads of one poll in a function of its own in a second of waiting: it rests longer if the log grows faster. */
function unitsOfLoneReader(team: MeasuredTeam): number {
  const entries = entriesASecond(team);
  const pace = new LogPace();
  pace.note(0, 0);
  pace.note(entries, 1_000);
  const looks = 1_000 / Math.max(pace.restMs(), DENSEST_LOOK_MS);
  return looks * unitsOfLook(team, looks);
}

/** The units of a read of the newest entries, of which there are so many in a second. */
const unitsOfLook = (team: MeasuredTeam, looks: number): number =>
  HALF_UNIT * Math.max(1, ((entriesASecond(team) / looks) * ENTRY_BYTES) / HALF_UNIT_BYTES);

/** Polls, or pushers and what starts them: at once, and later for what may wait. */
const waitingExecutions = ({ clients }: MeasuredTeam, way: Way): number =>
  ({ function: clients, webFunction: 1, socket: pushersOf(clients) + 2 })[way];

/** The limits, each service by itself. Quotas are the initial ones of an account in us-east-1. */
export const limits: Limit[] = [
  {
    what: 'Lambda: executions at once',
    quota: 1_000,
    unit: '',
    asked: (team, way) => (callsASecond(team) * ASSUMED_MS.request) / 1000 + waitingExecutions(team, way),
    lift: 'a quota of the account, to tens of thousands',
    price: 'nothing by itself; each waiting execution $0.006 an hour',
  },
  {
    what: 'the API: requests of one route, as deployed',
    quota: 1_000,
    unit: '/s',
    asked: (team, way) => Math.max(busiestASecond(team), way === 'function' ? pollsASecond(team, way) : 0),
    lift: '`-c requestsPerSecond`, to 10 000',
    price: 'nothing by itself',
  },
  {
    what: 'API Gateway: requests and texts to sockets of an account',
    quota: 10_000,
    unit: '/s',
    asked: (team, way) =>
      callsASecond(team) +
      (way === 'function' ? pollsASecond(team, way) : 0) +
      (way === 'socket' ? textsASecond(team) : 0),
    lift: 'a quota of the account; runs of the pusher that gather for longer',
    price: 'nothing by itself',
  },
  {
    what: 'Lambda: texts of one pusher',
    quota: Math.floor(ASSUMED_SOCKET.textsAtOnce * (1_000 / ASSUMED_SOCKET.textMs)),
    unit: '/s',
    asked: (team, way) => (way === 'socket' ? textsASecond(team) / pushersOf(team.clients) : 0),
    lift: 'fewer sockets for each pusher (`socketsOfPusher`)',
    price: 'two writes for each run and pusher',
  },
  {
    what: 'API Gateway: new connections',
    quota: 500,
    unit: '/s',
    asked: ({ clients }, way) => (way === 'socket' ? clients / RETURN_SECONDS : 0),
    lift: 'a quota of the account; clients that come back over a longer time',
    price: 'nothing',
  },
  {
    what: 'web functions: environments',
    quota: 1_000,
    unit: '',
    asked: (team, way) => (way === 'webFunction' ? processes(team) : 0),
    lift: 'a quota of the account',
    price: 'nothing by itself',
  },
  {
    what: 'web functions: requests of an endpoint',
    quota: 10_000,
    unit: '/s',
    asked: (team, way) => (way === 'webFunction' ? pollsASecond(team, way) : 0),
    lift: 'answers that gather events for longer',
    price: 'nothing: events come later',
  },
  {
    what: 'DynamoDB: reads of one partition, the newest block of the log',
    quota: 3_000,
    unit: ' RCU/s',
    asked: (team, way) => {
      if (way === 'function') return team.clients * unitsOfLoneReader(team) + pollsASecond(team, way);
      if (way === 'socket')
        return pushersOf(team.clients) * runsASecond(team) * unitsOfLook(team, runsASecond(team));
      return (processes(team) * team.waiting.lookUnits) / HOUR;
    },
    lift: 'copies of the newest entries in several partitions',
    price: 'one write for each entry and copy',
  },
  {
    what: 'DynamoDB: reads of one partition, the connections of a pusher',
    quota: 3_000,
    unit: ' RCU/s',
    asked: (team, way) =>
      way === 'socket'
        ? (runsASecond(team) * RUN_UNITS.perConnection * team.clients) / pushersOf(team.clients)
        : 0,
    lift: 'fewer sockets for each pusher (`socketsOfPusher`)',
    price: 'two writes for each run and pusher',
  },
  {
    what: 'DynamoDB: writes of one item, which deals new sockets to pushers',
    quota: 1_000,
    unit: ' WCU/s',
    asked: ({ clients }, way) => (way === 'socket' ? clients / RETURN_SECONDS : 0),
    lift: 'clients that come back over a longer time',
    price: 'nothing',
  },
  {
    what: 'the service: parts of the sockets, each with a pusher',
    quota: PARTS,
    unit: '',
    asked: ({ clients }, way) => (way === 'socket' ? pushersOf(clients) : 0),
    lift: 'a constant',
    price: 'nothing',
  },
  {
    what: 'DynamoDB: writes of one partition, the newest block of the log',
    quota: 1_000,
    unit: ' WCU/s',
    asked: (team) => entriesASecond(team) * UNITS_OF_ENTRY,
    lift: 'positions spread over partitions by their last digit: a change of the log',
    price: 'a look reads as many partitions',
  },
  {
    what: 'DynamoDB: writes of one item, the counter of positions',
    quota: 1_000,
    unit: ' WCU/s',
    asked: entriesASecond,
    lift: 'positions taken by the dozen, in functions that write often',
    price: 'holes, which are sealed for one write each',
  },
  {
    what: 'DynamoDB: reads of a table on demand',
    quota: 40_000,
    unit: ' RCU/s',
    asked: (team, way) => inAll(team, 'readUnits') + pollUnits(team, way, 'readUnits'),
    lift: 'a quota of the table',
    price: 'nothing by itself',
  },
  {
    what: 'DynamoDB: writes of a table on demand',
    quota: 40_000,
    unit: ' WCU/s',
    asked: (team, way) => inAll(team, 'writeUnits') + pollUnits(team, way, 'writeUnits'),
    lift: 'a quota of the table',
    price: 'nothing by itself',
  },
  {
    what: 'EventBridge: events put',
    quota: 10_000,
    unit: '/s',
    // A job for some changes, a hint to the notifier, and one to the pusher.
    asked: (team, way) => entriesASecond(team) * (way === 'socket' ? 3 : 2),
    lift: 'a quota of the account',
    price: '$1 for a million events',
  },
  {
    what: 'Scheduler: messages due in one minute',
    quota: 1_000,
    unit: '/s',
    asked: ({ people }) => people / PEOPLE_PER_SCHEDULED / 60,
    lift: 'a quota of the account; late ones are delivered by the sweep',
    price: '$1 for a million',
  },
  {
    what: 'SES: an invitation to each person within a day',
    quota: 50_000,
    unit: ' a day',
    asked: ({ people }) => people,
    lift: 'a quota of the account; invitations on several days, or a link for all',
    price: '$0.10 for a thousand mails',
  },
];
