import { readCommandLine, refuseCall } from '#infra/command-line.ts';

/** The output of each part. The first ones run if none is named. */
const always = {
  capacity: 'capacity units of every operation, beside its budget',
  render: 'the messages that are slowest to render',
};
const onlyWhenAsked = {
  local: 'the local service beside an empty HTTP server; takes BENCH_MINUTES of traffic (10)',
  costs: 'the hours of teams of 5 to 5 000 people; writes docs/costs.md; takes minutes',
  schedules: 'how often polls look, one schedule beside the other',
  search: 'searching a million messages, or BENCH_MESSAGES; takes minutes',
  worst: 'the most expensive call of each operation; writes docs/worst-calls.md; takes minutes',
  cold: 'the start of each built function, BENCH_STARTS times in new processes (12)',
  web: 'the web client in a real browser, in a large organization; takes minutes',
  poller: 'the built poller with the most polls of a process',
  scale: 'the first limits of an organization',
  files: 'the files of the product that a plain message runs',
};

export type PartName = keyof typeof always | keyof typeof onlyWhenAsked;

const HELP = `Usage: npm run bench [-- <part>…]

Measures costs, beside their budgets, and durations on this machine. Ends with status 1 if a budget is missed.

Parts:
${describe(always)}

Parts that run only if named:
${describe(onlyWhenAsked)}

Options:
  --help     print this text

Example:
  npm run bench -- capacity render`;

function describe(parts: Record<string, string>): string {
  return Object.entries(parts)
    .map(([name, shows]) => `  ${name.padEnd(9)}  ${shows}`)
    .join('\n');
}

const isPart = (name: string): name is PartName => name in always || name in onlyWhenAsked;

const { positionals: asked } = readCommandLine(HELP, { mostWords: Number.POSITIVE_INFINITY });
const unknown = asked.find((name) => !isPart(name));
if (unknown !== undefined) refuseCall(`There is no part ${unknown}; --help lists them.`);
const names = asked.length === 0 ? Object.keys(always) : asked;
// Loaded only now, since the parts are much code.
const { show } = await import('./parts.ts');
for (const name of names.filter(isPart)) await show[name]();
