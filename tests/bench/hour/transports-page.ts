import { POLLS_PER_PROCESS } from '#infra/poller/limits.ts';
import { prices } from '#infra/prices.ts';
import { HOURS_OF_MONTH, type Measured, type MeasuredTeam } from './costs.ts';
import { HOURS_PER_MONTH } from './ledger.ts';
import { cents, dollars, grouped, table } from './tables.ts';
import {
  ASSUMED_SOCKET,
  busyWaiting,
  clientsWorthAProcess,
  idleWaiting,
  monthBy,
  monthOfWaiting,
  otherRequests,
  type SocketDollars,
  socketDollars,
  totalWaiting,
  type WaitingDollars,
  type Way,
  type WebFunctionDollars,
  ways,
  webFunctionDollars,
} from './transports.ts';

const NAMES: Record<Way, string> = {
  socket: 'the web client, by its socket \\*',
  function: 'other clients, by a function for each poll',
  webFunction: 'other clients, by a web function for 128 polls \\*',
};
/** The most that waiting may cost a client of office hours, and everything else a person. */
export const TARGETS: Record<Way | 'else', number> = {
  function: Number.POSITIVE_INFINITY,
  webFunction: 0.2,
  socket: 0.05,
  else: 0.3,
};

/** The cost of waiting for a client in a month, by team, and for one that receives nothing. */
export function waysTable(measured: Measured, hours: number): string {
  const { teams } = measured;
  const head = [
    `waiting, a client, ${hours} hours`,
    ...teams.map(({ people }) => `${grouped(people)} people`),
    'receives nothing',
  ];
  const rows = ways.map((way) => [
    NAMES[way],
    ...teams.map((team) => cents(monthOfWaiting(measured, team, { way, hours }) / team.clients)),
    cents(idleDollars(measured, way) * hours),
  ]);
  return table(head, rows);
}

/** In an hour, as one of many in a team of 500. */
const idleDollars = (measured: Measured, way: Way): number =>
  totalWaiting(idleWaiting(measured, POLLS_PER_PROCESS, way)) / POLLS_PER_PROCESS;

/** The costs of a person without waiting. */
function elseOf(measured: Measured, team: MeasuredTeam, hours: number): number {
  const how = { way: 'function', hours } as const;
  return (monthBy(measured, team, how) - monthOfWaiting(measured, team, how)) / team.people;
}

/** The teams whose people cost more than the target without waiting. */
export function exceeding(measured: Measured): string {
  const teams = measured.teams.filter((team) => elseOf(measured, team, HOURS_PER_MONTH) > TARGETS.else);
  return teams.length === 0
    ? 'no team'
    : teams.map(({ people }) => `a team of ${grouped(people)}`).join(', ');
}

export function billsTable(measured: Measured, hours: number): string {
  const { teams } = measured;
  return table(
    [`the whole month, ${hours} hours`, ...teams.map(({ people }) => `${grouped(people)} people`)],
    [
      ...ways.map((way) => [
        NAMES[way],
        ...teams.map((team) => dollars(monthBy(measured, team, { way, hours }))),
      ]),
      ['a person, without waiting', ...teams.map((team) => cents(elseOf(measured, team, hours)))],
    ],
  );
}

const PARTS: Record<keyof WaitingDollars, string> = {
  compute: 'time of functions, memory and processors',
  requests: 'requests, texts, connections',
  capacity: 'reads and writes of the table',
  rest: 'log lines, transfer',
};

/** The costs of a team, by billed resource. */
function partsTable(measured: Measured, index: number): string {
  const team = measured.teams[index];
  if (!team) throw new Error('The team was not measured');
  return table(
    [
      `a client of ${grouped(team.people)} people, ${HOURS_PER_MONTH} hours`,
      ...ways.map((way) => NAMES[way]),
    ],
    (Object.keys(PARTS) as (keyof WaitingDollars)[]).map((part) => [
      PARTS[part],
      ...ways.map((way) => cents((busyWaiting(measured, team, way)[part] * HOURS_PER_MONTH) / team.clients)),
    ]),
  );
}

const WEB_FUNCTION_PARTS: Record<keyof WebFunctionDollars, string> = {
  memory: 'memory of environments',
  processors: 'processor time',
  polls: 'requests: polls',
  otherRequests: 'requests: all others, which pass the front too',
  reads: 'reads',
  writes: 'writes: the slot of each poll',
  rest: 'log lines, transfer',
};

/** The costs of a web function for each client, by team. */
function webFunctionTable(measured: Measured): string {
  const { teams } = measured;
  const parts = teams.map((team) => ({
    dollars: webFunctionDollars(measured, team.clients, team.waiting, otherRequests(team)),
    clients: team.clients,
    polls: team.waiting.polls,
  }));
  const rows = (Object.keys(WEB_FUNCTION_PARTS) as (keyof WebFunctionDollars)[]).map((part) => [
    WEB_FUNCTION_PARTS[part],
    ...parts.map(({ dollars: all, clients }) => cents((all[part] * HOURS_PER_MONTH) / clients)),
  ]);
  const afford = parts.map(({ dollars: { memory, otherRequests: others, ...ofPolls }, clients, polls }) => {
    const left = (TARGETS.webFunction * clients) / HOURS_PER_MONTH - memory - others;
    const perPoll = Object.values(ofPolls).reduce((total, one) => total + one, 0) / polls;
    return countOf(left / perPoll / clients);
  });
  return table(
    [`a web function, ${HOURS_PER_MONTH} hours`, ...teams.map(({ people }) => `${grouped(people)} people`)],
    [
      ...rows,
      ['polls of a client in an hour', ...parts.map(({ polls, clients }) => countOf(polls / clients))],
      [`of them within $${TARGETS.webFunction.toFixed(2)}`, ...afford],
    ],
  );
}

const countOf = (count: number): string => (count < 1 ? 'none' : grouped(Math.round(count)));

const SOCKET_PARTS: Record<keyof SocketDollars, string> = {
  texts: 'texts',
  connections: 'connection minutes, pings, coming and going',
  runs: 'time of the pusher',
  capacity: 'its reads and writes',
  rest: 'log lines, transfer',
};

/** The costs of a socket, and the number of texts that a client may get for the target. */
function socketTable(measured: Measured): string {
  const { teams } = measured;
  const parts = teams.map(({ clients, waiting }) => ({
    perText: prices.webSocket.perMessage * HOURS_PER_MONTH,
    texts: waiting.texts / clients,
    dollars: socketDollars(clients, waiting),
    clients,
  }));
  const rows = (Object.keys(SOCKET_PARTS) as (keyof SocketDollars)[]).map((part) => [
    SOCKET_PARTS[part],
    ...parts.map(({ dollars: all, clients }) => cents((all[part] * HOURS_PER_MONTH) / clients)),
  ]);
  const afford = parts.map(({ perText, dollars: all, clients }) => {
    const { texts: _, ...others } = all;
    const fixed = (Object.values(others).reduce((total, one) => total + one, 0) * HOURS_PER_MONTH) / clients;
    return countOf((TARGETS.socket - fixed) / perText);
  });
  return table(
    [`a socket, ${HOURS_PER_MONTH} hours`, ...teams.map(({ people }) => `${grouped(people)} people`)],
    [
      ...rows,
      ['texts of a client in an hour', ...parts.map(({ texts }) => countOf(texts))],
      [`of them within $${TARGETS.socket.toFixed(2)}`, ...afford],
    ],
  );
}

/** Which teams meet a target. */
function meeting(measured: Measured, way: Way): string {
  const met = measured.teams.filter(
    (team) => monthOfWaiting(measured, team, { way, hours: HOURS_PER_MONTH }) / team.clients <= TARGETS[way],
  );
  const idle = idleDollars(measured, way) * HOURS_PER_MONTH <= TARGETS[way];
  const names = [
    ...met.map(({ people }) => `a team of ${grouped(people)}`),
    ...(idle ? ['a client that receives nothing'] : []),
  ];
  return names.length === 0 ? 'nothing here' : names.join(', ');
}

export function describeWays(measured: Measured): string {
  const { poller } = measured;
  const { runMs, textMs, textsAtOnce, runsPerSecond, opensPerHour, pingMinutes } = ASSUMED_SOCKET;
  return `## Three ways to wait

${waysTable(measured, HOURS_PER_MONTH)}

${waysTable(measured, HOURS_OF_MONTH)}

\\* **Not all of this is public, or was seen on AWS.** AWS publishes no prices of web functions: assumed are those of Lambda, for
processor time and once more for the memory that a process holds ($${prices.assumedWebFunction.perGbSecond} a GB-second). A process with ${POLLS_PER_PROCESS} polls holds
${Math.round(poller.residentMebibytes)} MiB here, and an answer takes ${poller.cpuMsPerAnswer.toFixed(1)} ms of a processor (\`npm run bench -- poller\`). Should AWS bill all 2 GB of an environment, a web function pays
from ${clientsWorthAProcess(measured)} clients on. Prices of CloudFront and of WebSocket APIs are public; of sockets a run of the pusher is assumed to take ${runMs} ms
and ${textMs} ms for each ${textsAtOnce} texts, at most ${runsPerSecond} runs a second and one more in ten seconds in which something happens, ${opensPerHour} new connections an hour, and a ping after ${pingMinutes} quiet minutes. Polls that share
a process were not lived through with more than 200 people: theirs are to those of functions as in a team of 200. What a
run reads and writes is counted ([0004](decisions/0004-event-socket.md)). How clients of web functions reach them: [0003](decisions/0003-polls.md).

The targets are $${TARGETS.webFunction.toFixed(2)} for the web function and $${TARGETS.socket.toFixed(2)} for the socket, a client and ${HOURS_PER_MONTH} hours. The web function meets it
for ${meeting(measured, 'webFunction')}; the socket for ${meeting(measured, 'socket')}. In a busy hour of a team, most of what is left is one
request or text for each thing that happens, and the write by which a poll takes its slot:

${partsTable(measured, 1)}

${webFunctionTable(measured)}

With five people the environment that is always on is nearly all: four clients pay for what can hold ${POLLS_PER_PROCESS} polls. From 50 people on it is the poll
after each event, which pays a request twice, its reads, and the write of its slot. Less memory saves little there: a waiting poll takes
${Math.round(poller.pollKilobytes)} KB of the heap, and AWS lets no one choose the memory of an environment. Longer holds save nothing, since events end polls long before. Polls
that gather events would be fewer, and each message would come later. A team for which this is too much has the socket.

What may wait is told with what may not, or after ten seconds ([0004](decisions/0004-event-socket.md)): the texts are counted by that rule in the events
that the clients of the measured hour got. What is left of a socket is messages, typing that begins, and reactions, and what the pusher does for each entry. For
$${TARGETS.socket.toFixed(2)} a client of a team may get so many texts in an hour:

${socketTable(measured)}`;
}
