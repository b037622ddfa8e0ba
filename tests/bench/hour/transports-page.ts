import { POLLS_PER_PROCESS } from '#infra/poller/limits.ts';
import { prices } from '#infra/prices.ts';
import type { Measured, MeasuredTeam } from './costs.ts';
import { HOURS_PER_MONTH } from './ledger.ts';
import { cents, dollars, grouped, table } from './tables.ts';
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

/** What waiting costs a client in a month, by team, and one that receives nothing. */
function waysTable(measured: Measured, hours: number): string {
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
  return names.length === 0 ? 'none of them' : names.join(' and ');
}

/** The section of the page about waiting. */
export function describeWays(measured: Measured): string {
  const { poller } = measured;
  const { runMs, textMs, textsAtOnce, runsPerSecond, opensPerHour, pingMinutes } = ASSUMED_SOCKET;
  return `## Three ways to wait

${waysTable(measured, HOURS_PER_MONTH)}

The targets for a client and ${HOURS_PER_MONTH} hours are $${TARGETS.webFunction.toFixed(2)} by the web function, met by ${meeting(measured, 'webFunction')}, and $${TARGETS.socket.toFixed(2)} by the
socket, met by ${meeting(measured, 'socket')}. Most of the rest is one request or text for each event:

${partsTable(measured, 1)}

\\* **Never run on AWS, and prices partly assumed.** AWS publishes no prices of web functions. This page assumes those of Lambda for
processor time, and the same again for the memory of a process ($${prices.assumedWebFunction.perGbSecond} a GB-second). A process with ${POLLS_PER_PROCESS} polls uses
${Math.round(poller.residentMebibytes)} MiB, and an answer takes ${poller.cpuMsPerAnswer.toFixed(1)} ms of a processor (\`npm run bench -- poller\`). If AWS bills all 2 GB of an environment, a web
function is worth its price from ${clientsWorthAProcess(measured)} clients on. A run of the pusher is assumed to take ${runMs} ms and ${textMs} ms for each ${textsAtOnce} texts, with at most
${runsPerSecond} runs a second; a client opens ${opensPerHour} connections an hour and pings after ${pingMinutes} quiet minutes. Shared polls were measured with up to 200
people and extrapolated beyond.`;
}
