import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prices } from '#infra/prices.ts';
import {
  ASSUMED,
  breakEvenPeople,
  HOURS_OF_MONTH,
  idleClientHour,
  type Measured,
  type MeasuredTeam,
  monthlyBill,
  restDollars,
  services,
  totalOf,
} from './costs.ts';
import { ASSUMED_MS, HOURS_PER_MONTH } from './ledger.ts';
import { readMeasured } from './measure-costs.ts';
import { cents, dollars, grouped, table } from './tables.ts';
import { billsTable, describeWays, exceeding, TARGETS } from './transports-page.ts';

export const COSTS_PAGE = join(import.meta.dirname, '../../../docs/costs.md');

const OPEN_HOURS = [HOURS_PER_MONTH, HOURS_OF_MONTH];

/** The page of costs, from measurements and list prices. */
export function describeCosts(measured: Measured): string {
  const { perMonth } = prices.virtualMachine;
  const idle = idleClientHour(measured);
  const [office = 0, always = 0] = OPEN_HOURS.map((hours) => breakEvenPeople(measured, hours));
  const [first, sample, last] = [measured.teams[0], measured.teams[1], measured.teams.at(-1)];
  if (!first || !sample || !last) throw new Error('No team was measured');
  const rest = restDollars(measured, first);
  return `# Costs

\`npm run docs\` writes this page from the measurements of \`npm run bench -- costs\` (\`tests/bench/hour/measured.json\`) and the list prices
in \`infra/prices.ts\`: ${prices.region}, ${prices.asOf}, without a free tier ([0026](decisions/0026-costs-and-scale.md)). **Never run on AWS:** no bill confirms it
yet.

## A month

The bill depends on how clients wait for events. The web client and all others that open an [event socket](event-socket.md) have
their events pushed; all other clients poll. At any time 60 % of a team are online, every sixth of them with two clients. The
${HOURS_PER_MONTH} working hours of a month are busy ones. With ${HOURS_OF_MONTH} hours, the same clients stay open at night and on weekends and receive nothing
then.

${billsTable(measured, HOURS_PER_MONTH)}

${billsTable(measured, HOURS_OF_MONTH)}

The target for everything except waiting is $${TARGETS.else.toFixed(2)} a person; exceeded by ${exceeding(measured)}.

## If all clients poll

${describeMonth(measured, HOURS_PER_MONTH)}

A person of a large team costs more because a fifth of all messages go to a channel that everyone reads. With ${grouped(last.people)} people that
ends ${grouped(requestsPerSecond(last))} polls a second, above the limits of a route (1 000 a second) and of a new account (1 000 executions).

A client that is always open costs ${dollars(idle.total * HOURS_OF_MONTH)} a month even if it receives nothing: ${dollars(idle.waiting * HOURS_OF_MONTH)} of it for the function of 128 MB that waits. In
office hours it costs ${dollars(idle.total * HOURS_PER_MONTH)}.

${describeWays(measured)}

## Compared with a virtual machine

A virtual machine at ${dollars(perMonth)} a month costs as much as the service for about **${office} people** whose clients are open in office hours, or
**${always} people** whose clients are always open. The price of the service includes point-in-time recovery for 35 days, redundancy
across data centres, and system updates.

## At rest

While no client is connected, a deployment costs ${dollars(rest.atListPrice)} a month at list prices: ${ASSUMED.alarmMetrics} metrics that alarms watch, and a sweep that is called every
five minutes and does its work once an hour if nothing needs it. Within the permanent free tier it costs ${cents(rest.beyondFree)}. The data of ${first.people}
people after a year adds ${cents(rest.storage)}.

## A busy hour of ${grouped(sample.people)} people

${describeHour(sample)}

## Assumptions

| | |
| --- | --- |
| duration of a call that does not wait | ${ASSUMED_MS.request} ms; of a sweep ${ASSUMED_MS.sweep / 1000} s |
| storage | messages of ${ASSUMED.storedMonths} months at ${grouped(ASSUMED.messageBytes)} bytes each, indexes included; ${ASSUMED.uploadedBytes / 1024 ** 2} MB of files for each person and month, each loaded ${ASSUMED.loadsOfFile} times |
| log lines | ${ASSUMED.logBytes.gateway} bytes a request of the gateway, ${ASSUMED.logBytes.service} of the service |
| alarms | ${ASSUMED.alarmMetrics} metrics that they watch, ${ASSUMED.ownMetrics} metric of our own in hours with polls |
| sweep | ${ASSUMED.sweepCalls.timesAnHour} calls an hour; an idle one reads ${ASSUMED.sweepCalls.readUnits} units in 60 ms |

Cold starts, jobs, scheduled messages ($1 for a million each), mail and loads of the web client come to cents and are left out.
`;
}

const requestsPerSecond = ({ lines }: Measured['check']): number =>
  lines.reduce((sum, { timesAnHour }) => sum + timesAnHour, 0) / 3600;

function describeMonth(measured: Measured, hours: number): string {
  const bills = measured.teams.map((team) => ({ team, bill: monthlyBill(measured, team, hours) }));
  const row = (what: string, of: (one: (typeof bills)[number]) => string): string[] => [
    what,
    ...bills.map(of),
  ];
  return table(
    row(`${hours} hours open`, ({ team }) => `${grouped(team.people)} people`),
    [
      row('clients', ({ team }) => grouped(team.clients)),
      ...services.map((name) => row(name, ({ bill }) => dollars(bill[name]))),
      row('**the month**', ({ bill }) => `**${dollars(totalOf(bill))}**`),
      row('for each person', ({ team, bill }) => dollars(totalOf(bill) / team.people)),
      row('a virtual machine', () => dollars(prices.virtualMachine.perMonth)),
    ],
  );
}

const describeHour = ({ lines }: MeasuredTeam): string =>
  table(
    ['call', 'an hour', 'write units', 'read units', 'bytes of the reply'],
    lines.map(({ what, timesAnHour, writeUnits, readUnits, bytes }) => [
      nameOf(what),
      timesAnHour < 10 ? String(Number(timesAnHour.toFixed(1))) : grouped(timesAnHour),
      String(Number(writeUnits.toFixed(1))),
      String(Number(readUnits.toFixed(1))),
      grouped(bytes),
    ]),
  );

/** Polls wait longer the less happens. */
const nameOf = (what: string): string => (what.startsWith('poll') ? 'poll' : what);

if (import.meta.main) writeFileSync(COSTS_PAGE, describeCosts(readMeasured()));
