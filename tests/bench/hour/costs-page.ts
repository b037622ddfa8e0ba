import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prices } from '#infra/prices.ts';
import {
  ASSUMED,
  breakEvenPeople,
  HOURS_OF_MONTH,
  idleClientHour,
  type Measured,
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
  const [first, last] = [measured.teams[0], measured.teams.at(-1)];
  if (!first || !last) throw new Error('No team was measured');
  const rest = restDollars(measured, first);
  return `# What it costs

\`npm run docs\` writes this page, from what \`npm run bench -- costs\` measured (\`tests/bench/hour/measured.json\`) and from the list
prices in \`infra/prices.ts\`: ${prices.region}, ${prices.asOf}, without any free tier. How an hour is measured says
[0026](decisions/0026-costs-and-scale.md); what is assumed stands at the end.

## A month, by what clients wait with

What a team pays follows from how its clients wait for events. The web client and all that take the socket of this service
([event socket](event-socket.md)) have their events pushed; it is deployed by default. All other clients poll.

${billsTable(measured, HOURS_PER_MONTH)}

${billsTable(measured, HOURS_OF_MONTH)}

Everything but waiting may cost a person $${TARGETS.else.toFixed(2)} a month of ${HOURS_PER_MONTH} hours; more in ${exceeding(measured)}. *: see
[three ways to wait](#three-ways-to-wait).

## If all clients poll, in dollars

Of a team, 60 % are there at a time, every sixth of them with two clients. Each of the ${HOURS_PER_MONTH} working hours of a month is a busy one.
With ${HOURS_OF_MONTH} hours, the same clients stay open at night and on weekends too, and receive nothing then.

${OPEN_HOURS.map((hours) => describeMonth(measured, hours)).join('\n\n')}

A person of a large team costs more, because a fifth of what is said here is said in a channel that everyone reads: with
${grouped(last.people)} people that ends ${grouped(requestsPerSecond(last))} polls a second, where a route of the API takes 1 000 a second and an account of AWS
begins with 1 000 executions at once. This team has to raise both limits, and its bill is a reason not to poll for each event by itself.

## Clients that stay open

**A client that is always open costs ${dollars(idle.total * HOURS_OF_MONTH)} a month, even if it never receives a message.** Of that, ${dollars(idle.waiting * HOURS_OF_MONTH)} is for the function
that waits: a long poll occupies a Lambda execution, here of 192 MB, for as long as the client is open. A client of office hours costs
${dollars(idle.total * HOURS_PER_MONTH)} before it receives anything. The largest saving there is: clients that close, or sleep, while no one looks at them.

${describeWays(measured)}

## Beside a virtual machine

A virtual machine at ${dollars(perMonth)} a month costs the same whatever the team does. The service costs as much with about
**${office} people** whose clients are open in office hours, or **${always} people** whose clients are always open. Below that it costs less;
above it the machine does, for as long as one machine is enough. What the machine leaves to you is in the price here: copies
from which any second of the last 35 days can be restored, a second place when the first one fails, and updates of the system.

## At rest

While no client is connected, a deployment costs ${dollars(rest.atListPrice)} a month at list prices: ${ASSUMED.alarmMetrics} metrics that alarms watch, and
a sweep, which is called every five minutes and sweeps once an hour if it finds nothing to do. The tier that is free in every account for
good covers all but its reads and writes: then it is ${cents(rest.beyondFree)}. Nothing else costs at rest: the event socket, the key of the table
(\`-c tableKey\`), two dashboards of the three that are free. What a team of ${first.people} people has stored in a year adds ${cents(rest.storage)}.

## What a busy hour takes

Calls of an hour, and what each takes: write units, read units, bytes of the answer.

${describeHours(measured)}

## What is assumed

| | |
| --- | --- |
| time of a call that waits for nothing | ${ASSUMED_MS.request} ms; of a sweep ${ASSUMED_MS.sweep / 1000} s |
| storage | messages of ${ASSUMED.storedMonths} months at ${grouped(ASSUMED.messageBytes)} bytes each, indexes included; ${ASSUMED.uploadedBytes / 1024 ** 2} MB of files for each person and month, each loaded ${ASSUMED.loadsOfFile} times |
| log lines | ${ASSUMED.logBytes.gateway} bytes a request of the gateway, ${ASSUMED.logBytes.service} of the service |
| alarms | ${ASSUMED.alarmMetrics} metrics that they watch, ${ASSUMED.ownMetrics} metric of our own in hours with polls |
| sweep | ${ASSUMED.sweepCalls.timesAnHour} calls an hour; one that finds nothing to do reads ${ASSUMED.sweepCalls.readUnits} units in 60 ms |

Left out, since they come to cents: cold starts, jobs and scheduled messages ($1 for a million each), mail, and loads of the web client.
**Never run on AWS:** no bill stands behind this page yet. AWS bills what it measures, and the console of Cost Explorer shows it by service.
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

function describeHours({ teams, idleClient }: Measured): string {
  const cell = ({ timesAnHour, writeUnits, readUnits, bytes }: Measured['idleClient'][number]): string =>
    `${timesAnHour < 10 ? Number(timesAnHour.toFixed(1)) : grouped(timesAnHour)} × ${Number(writeUnits.toFixed(1))} w, ${Number(readUnits.toFixed(1))} r, ${grouped(bytes)} B`;
  const [first] = teams;
  const rows = (first?.lines ?? []).map(({ what }, index) => [
    nameOf(what),
    ...teams.map(({ lines }) => {
      const line = lines[index];
      return line ? cell(line) : '';
    }),
    idleClient.filter((line) => nameOf(line.what) === nameOf(what)).map(cell)[0] ?? '',
  ]);
  return table(['', ...teams.map(({ people }) => `${grouped(people)} people`), 'one idle client'], rows);
}

/** Polls wait longer the less happens. */
const nameOf = (what: string): string => (what.startsWith('poll') ? 'poll' : what);

if (import.meta.main) writeFileSync(COSTS_PAGE, describeCosts(readMeasured()));
