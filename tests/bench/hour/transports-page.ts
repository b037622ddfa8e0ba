import { POLLS_PER_PROCESS } from '#infra/poller/limits.ts';
import { prices } from '#infra/prices.ts';
import { HOURS_OF_MONTH, type Measured, type MeasuredTeam } from './costs.ts';
import { HOURS_PER_MONTH } from './ledger.ts';
import { dollars, grouped, table } from './tables.ts';
import {
  ASSUMED_SOCKET,
  busyWaiting,
  clientsWorthAProcess,
  idleWaiting,
  monthBy,
  monthOfWaiting,
  totalWaiting,
  type WaitingDollars,
  type Way,
  ways,
} from './transports.ts';

const NAMES: Record<Way, string> = {
  function: 'a function for each poll (the default)',
  webFunction: 'a web function for 128 polls \\*',
  socket: 'a socket \\*',
};
/** The most that waiting may cost a client of office hours, and everything else a person. */
const TARGETS: Record<Way | 'else', number> = {
  function: Number.POSITIVE_INFINITY,
  webFunction: 0.2,
  socket: 0.05,
  else: 0.3,
};

/** What waiting costs a client in a month, by team, and one that receives nothing. */
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

const cents = (amount: number): string => (amount < 0.1 ? `$${amount.toFixed(3)}` : dollars(amount));

/** What a person costs without waiting. */
function elseOf(measured: Measured, team: MeasuredTeam, hours: number): number {
  const how = { way: 'function', hours } as const;
  return (monthBy(measured, team, how) - monthOfWaiting(measured, team, how)) / team.people;
}

/** The teams whose people cost more than the target without waiting. */
function exceeding(measured: Measured): string {
  const teams = measured.teams.filter((team) => elseOf(measured, team, HOURS_PER_MONTH) > TARGETS.else);
  return teams.length === 0
    ? 'no team'
    : teams.map(({ people }) => `a team of ${grouped(people)}`).join(', ');
}

function billsTable(measured: Measured, hours: number): string {
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

/** Of a team, by what is paid for. */
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
and ${textMs} ms for each ${textsAtOnce} texts, at most ${runsPerSecond} runs a second, ${opensPerHour} new connections an hour, and a ping after ${pingMinutes} quiet minutes. Polls that share
a process were not lived through with more than 200 people: theirs are to those of functions as in a team of 200. What a
run reads and writes is counted ([0091](decisions/0091-the-event-socket.md)). How clients of web functions reach them: [0092](decisions/0092-polls-in-a-web-function.md).

The targets are $${TARGETS.webFunction.toFixed(2)} for the web function and $${TARGETS.socket.toFixed(2)} for the socket, a client and ${HOURS_PER_MONTH} hours. The web function meets it
for ${meeting(measured, 'webFunction')}; the socket for ${meeting(measured, 'socket')}. In a busy hour of a team, most of what is left is one
request or text for each thing that happens, and the write by which a poll takes its slot:

${partsTable(measured, 1)}

${billsTable(measured, HOURS_PER_MONTH)}

${billsTable(measured, HOURS_OF_MONTH)}

Everything but waiting may cost a person $${TARGETS.else.toFixed(2)} a month of ${HOURS_PER_MONTH} hours. It does not in ${exceeding(measured)}, where
alarms and storage, which are for all, are the most of it.`;
}
