import { availableParallelism } from 'node:os';
import { readCommandLine } from '#infra/command-line.ts';
import type { RunOptions } from './run.ts';

const HELP = `Usage: npm run simulate -- --seed <n> [options], or -- --minutes <n> [options]

Runs the service under faults, in an order of calls that a seed decides, and checks its promises. Ends with status 1 if
one is broken.

Options:
  --help                          print this text
  --seed N                        runs one seed, which decides the number of people and of their steps
    --steps N                     number of steps
    --people N                    number of people
    --readers, --no-readers       people also mark messages as read
    --actions, --no-actions       five people call every operation that writes
    --undo, --no-undo             people undo their actions
    --one-poller, --no-one-poller all polls run in one process, which reads the log once for all of them
    --sockets, --no-sockets       some clients have their events pushed through sockets
    --edge, --no-edge             polls and sends go through the whole chain of a function
    --only TEXT                   only actions whose names contain the text
    --trace                       prints every call with its fault
  --minutes N                     runs new seeds until the time is over, with the options above
    --workers N                   number of processes (one for each core)

Example:
  npm run simulate -- --seed 7 --trace`;

const { values, tokens } = readCommandLine(HELP, {
  options: {
    seed: { type: 'string' },
    steps: { type: 'string' },
    people: { type: 'string' },
    readers: { type: 'boolean' },
    actions: { type: 'boolean' },
    undo: { type: 'boolean' },
    'one-poller': { type: 'boolean' },
    sockets: { type: 'boolean' },
    edge: { type: 'boolean' },
    only: { type: 'string' },
    trace: { type: 'boolean' },
    minutes: { type: 'string' },
    workers: { type: 'string' },
    /** How `--minutes` starts its workers. */
    until: { type: 'string' },
  },
});

// Loaded on demand, because the service is much code.
const [{ explore, printViolations, work }, { simulate }, { variantOf }] = await Promise.all([
  import('./explore.ts'),
  import('./simulate.ts'),
  import('./variants.ts'),
]);

// The service logs each of the faults.
process.stderr.write = () => true;

/** The differences of a run from its seed alone. */
const asked: Partial<RunOptions> = {
  ...(values.steps && { steps: Number(values.steps) }),
  ...(values.people && { people: Number(values.people) }),
  ...(values.readers !== undefined && { withReaders: values.readers }),
  ...(values.sockets !== undefined && { withSockets: values.sockets }),
  ...(values.edge !== undefined && { withEdge: values.edge }),
  ...(values.actions !== undefined && { withActions: values.actions }),
  ...(values.undo !== undefined && { withUndo: values.undo }),
  ...(values['one-poller'] !== undefined && { withOnePoller: values['one-poller'] }),
  ...(values.only !== undefined && { withUndo: [values.only] }),
};

const NOT_OF_A_RUN = ['seed', 'minutes', 'workers', 'until', 'trace'];
/** The same as arguments. */
const askedArgs = tokens.flatMap((token) =>
  token.kind === 'option' && !NOT_OF_A_RUN.includes(token.name)
    ? [token.rawName, ...(token.value === undefined ? [] : [token.value])]
    : [],
);

if (values.until) await work(Number(values.until), asked);
else if (values.minutes) {
  const workers = Number(values.workers ?? availableParallelism());
  const broken = await explore(Number(values.minutes), workers, askedArgs);
  if (broken > 0) process.exitCode = 1;
} else if (values.seed) await replay(Number(values.seed));
else console.log(HELP);

async function replay(seed: number): Promise<void> {
  const report = await simulate({ ...variantOf(seed), ...asked });
  if (values.trace) for (const call of report.trace) console.log(call);
  console.log(
    `${report.steps} steps of ${report.processes} processes, ${report.violations.length} violations`,
  );
  const faults = Object.entries(report.faults).map(([what, count]) => `${count} ${what}`);
  console.log(`faults: ${faults.join(', ')}`);
  printViolations(report, askedArgs);
  if (report.violations.length > 0) process.exitCode = 1;
}
