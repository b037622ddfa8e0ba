import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measured } from '../hour/costs.ts';
import { HOURS_PER_MONTH } from '../hour/ledger.ts';
import { readMeasured } from '../hour/measure-costs.ts';
import { dollars, grouped, table } from '../hour/tables.ts';
import { monthBy, type Way, ways } from '../hour/transports.ts';
import { type Limit, limits } from './limits.ts';
import { organizationOnline } from './online.ts';

export const SCALE_PAGE = join(import.meta.dirname, '../../../docs/scale.md');

const ONLINE = [1_000, 10_000, 100_000];
const MOST_ONLINE = 10_000_000;
const NAMES: Record<Way, string> = {
  function: 'A function for each poll',
  webFunction: 'A web function',
  socket: 'Sockets',
};

/** The fewest online clients whose busy hour exceeds a limit; undefined if none does. */
export function reachedAt(measured: Measured, { asked, quota }: Limit, way: Way): number | undefined {
  const isOver = (clients: number): boolean => asked(organizationOnline(measured, clients), way) > quota;
  if (!isOver(MOST_ONLINE)) return undefined;
  let [under, over] = [1, MOST_ONLINE];
  while (over - under > 1) {
    const middle = Math.floor((under + over) / 2);
    if (isOver(middle)) over = middle;
    else under = middle;
  }
  return over;
}

/** Two digits say all that the model knows. */
const about = (clients: number): string => grouped(Number(clients.toPrecision(2)));
const figure = (value: number): string => (value < 10 ? value.toPrecision(2) : about(value));

/** The limits that a way meets below a million clients, the first one first. */
function metBy(measured: Measured, way: Way): { limit: Limit; clients: number }[] {
  return limits
    .map((limit) => ({ limit, clients: reachedAt(measured, limit, way) ?? MOST_ONLINE }))
    .filter(({ clients }) => clients < MOST_ONLINE / 10)
    .sort((a, b) => a.clients - b.clients);
}

function describeWay(measured: Measured, way: Way): string {
  const organizations = ONLINE.map((clients) => organizationOnline(measured, clients));
  const rows = metBy(measured, way).map(({ limit, clients }) => [
    limit.what,
    ...organizations.map((team) => {
      const asked = limit.asked(team, way);
      return asked > limit.quota ? `**${figure(asked)}**` : figure(asked);
    }),
    `${grouped(limit.quota)}${limit.unit}`,
    about(clients),
    limit.lift,
    limit.price,
  ]);
  const head = [
    'limit',
    ...ONLINE.map((clients) => `${grouped(clients)} online`),
    'gives',
    'met at',
    'lifted by',
    'which costs',
  ];
  return `## ${NAMES[way]}

${table(head, rows)}`;
}

const firstOf = (measured: Measured, way: Way, clients: number): string => {
  const [first] = metBy(measured, way);
  return first && first.clients <= clients ? `${first.limit.what}, from ${about(first.clients)}` : 'none';
};

/** The page of limits, from measurements and the limits of the services. */
export function describeScale(measured: Measured): string {
  return `# How far it goes

\`npm run bench -- scale\` prints this page and \`npm run docs\` writes it: a model of the laws of each service (\`tests/bench/scale/limits.ts\`), asked by the
busy hours that \`npm run bench -- costs\` measured ([0026](decisions/0026-costs-and-scale.md)). **Nothing of it was run on AWS.** One organization with so many
clients online at once, each doing what people do in a busy hour. Quotas are those that an account of us-east-1 begins with.

## The first limit

${table(
  ['', ...ONLINE.map((clients) => `${grouped(clients)} online`)],
  ways.map((way) => [NAMES[way], ...ONLINE.map((clients) => firstOf(measured, way, clients))]),
)}

What the month costs, of ${HOURS_PER_MONTH} busy hours, if every limit is lifted (\`tests/bench/hour/transports.ts\`; prices of web functions are assumed):

${table(
  ['', ...ONLINE.map((clients) => `${grouped(clients)} online`)],
  ways.map((way) => [
    NAMES[way],
    ...ONLINE.map((clients) =>
      dollars(monthBy(measured, organizationOnline(measured, clients), { way, hours: HOURS_PER_MONTH })),
    ),
  ]),
)}

${ways.map((way) => describeWay(measured, way)).join('\n\n')}

Bold is more than the quota. Limits that are met with a million clients or more are left out. Organizations are apart from each other: each has an
account, a table and all of these quotas for itself, so a thousand organizations of a hundred people meet none of them.

## How to read it

- **What grows with the square of the people** is what all of them see: a fifth of the messages go to a channel that everyone reads. An
  organization with more people online than some thousands talks in smaller channels, and meets these limits later.
- **Between the teams that were measured** (5, 50, 500 and 5 000 people) the model goes along straight lines of logarithms, and beyond them
  on in proportion; no client is answered more often than every 50 ms.
- **Lifted by** names the next step, not what is built. A quota is lifted by a request to AWS.
`;
}

if (import.meta.main) writeFileSync(SCALE_PAGE, describeScale(readMeasured()));
