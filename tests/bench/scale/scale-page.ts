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

/** Clients that one organization has online at the quotas of a new account, by their way to wait. */
export const targets: { what: string; way: Way; clients: number }[] = [
  { what: 'sockets', way: 'socket', clients: 10_000 },
  { what: 'polls, by a web function', way: 'webFunction', clients: 3_000 },
  { what: 'polls, by a function for each', way: 'function', clients: 3_000 },
];

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

/** The limits that a way meets below a million clients, the first one first. */
function metBy(measured: Measured, way: Way): { limit: Limit; clients: number }[] {
  return limits
    .map((limit) => ({ limit, clients: reachedAt(measured, limit, way) ?? MOST_ONLINE }))
    .filter(({ clients }) => clients < MOST_ONLINE / 10)
    .sort((a, b) => a.clients - b.clients);
}

/** Each limit that some way meets, with the clients at which each way meets it. */
function limitsTable(measured: Measured): string {
  const met = new Map(ways.map((way) => [way, metBy(measured, way)]));
  const metAt = (limit: Limit, way: Way): number | undefined =>
    met.get(way)?.find((one) => one.limit === limit)?.clients;
  const first = (limit: Limit): number =>
    Math.min(...ways.map((way) => metAt(limit, way) ?? Number.POSITIVE_INFINITY));
  const rows = limits
    .filter((limit) => Number.isFinite(first(limit)))
    .toSorted((a, b) => first(a) - first(b))
    .map((limit) => [
      limit.what,
      `${grouped(limit.quota)}${limit.unit}`,
      ...ways.map((way) => {
        const clients = metAt(limit, way);
        return clients === undefined ? '' : about(clients);
      }),
      limit.lift,
      limit.price,
    ]);
  return table(['limit', 'quota', ...ways.map((way) => NAMES[way]), 'lifted by', 'cost'], rows);
}

const firstOf = (measured: Measured, way: Way, clients: number): string => {
  const [first] = metBy(measured, way);
  return first && first.clients <= clients ? `${first.limit.what}, from ${about(first.clients)}` : 'none';
};

/** Each target beside the first limit of its way. */
const targetsTable = (measured: Measured): string =>
  table(
    ['target', 'first limit', 'at'],
    targets.map(({ what, way, clients }) => {
      const [first] = metBy(measured, way);
      const isMet = !first || first.clients > clients;
      return [
        `${grouped(clients)} online with ${what}: **${isMet ? 'met' : 'missed'}**`,
        first?.limit.what ?? 'none',
        first ? about(first.clients) : '',
      ];
    }),
  );

/** The page of limits, from measurements and the limits of the services. */
export function describeScale(measured: Measured): string {
  const [, nextOfFunctions] = metBy(measured, 'function');
  const online = ONLINE.map((clients) => `${grouped(clients)} online`);
  return `# How far it goes

\`npm run docs\` writes this page from a model: the quotas of each AWS service (\`tests/bench/scale/limits.ts\`) compared with the busy hours that
\`npm run bench -- costs\` measured ([0026](decisions/0026-costs-and-scale.md)). **Never run on AWS.** Quotas are those of a new account in us-east-1.

## The first limit

The first limit that one organization meets with this many clients online at once:

${table(
  ['', ...online],
  ways.map((way) => [NAMES[way], ...ONLINE.map((clients) => firstOf(measured, way, clients))]),
)}

The targets at the quotas of a new account:

${targetsTable(measured)}

A function for each poll, the default, occupies one of the account's 1 000 executions for each client. A higher quota of executions alone
does not reach its target: the next limit is at ${about(nextOfFunctions?.clients ?? MOST_ONLINE)}. Beyond 1 000 polling clients, deploy the web function
(\`-c poller=web-function\`). The web client uses sockets, which need neither.

The cost of a month of ${HOURS_PER_MONTH} busy hours if every limit is lifted (prices of web functions are assumed):

${table(
  ['', ...online],
  ways.map((way) => [
    NAMES[way],
    ...ONLINE.map((clients) =>
      dollars(monthBy(measured, organizationOnline(measured, clients), { way, hours: HOURS_PER_MONTH })),
    ),
  ]),
)}

## All limits

The number of clients online from which each limit is exceeded, by the way in which they wait. Limits above a million clients are left
out. *Lifted by* names the next step, which is not built.

${limitsTable(measured)}

- **Cost grows with the square of the people** where everyone reads the same: a fifth of the messages go to a channel of all.
  An organization of thousands that talks in smaller channels meets these limits later.
- The model interpolates on a logarithmic scale between the measured teams (5, 50, 500 and 5 000 people) and extrapolates beyond. No client
  is answered more often than every 50 ms.
- Each organization has its own account and table, so a thousand organizations of a hundred people meet none of these limits.
`;
}

if (import.meta.main) writeFileSync(SCALE_PAGE, describeScale(readMeasured()));
