import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { openEngine } from '#tests/harness/engine/open-engine.ts';
import { explore, printViolations, work } from './explore.ts';
import type { RunOptions } from './run.ts';
import { simulate } from './simulate.ts';
import { variantOf } from './variants.ts';

const HELP = `The service under faults, in one order of its calls that a seed decides.

npm run simulate -- --seed N      runs one seed; it decides how many people there are and how long they act
    --steps N                     people go on acting for so many steps
    --people N                    so many people
    --readers, --no-readers       people also mark messages as read
    --actions, --no-actions       five people do everything that writes, for as long as there is something to do
    --undo, --no-undo             people do things and take them back
    --one-poller, --no-one-poller all polls run in one process, which reads the log once for all of them
    --sockets, --no-sockets       some clients have their events pushed through sockets
    --edge, --no-edge             polls and sends go through the whole chain of a function
    --only TEXT                   of those things, the ones whose names contain the text
    --trace                       prints every call, with what went wrong with it
npm run simulate -- --minutes N   runs fresh seeds until the time is over, each as the options above say
    --workers N                   in so many processes; as a rule one for each core
`;

const { values, tokens } = parseArgs({
  allowNegative: true,
  tokens: true,
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
    help: { type: 'boolean', short: 'h' },
    /** How `--minutes` starts its workers. */
    until: { type: 'string' },
  },
});

// The service logs each of the faults.
process.stderr.write = () => true;

/** What makes one run another than its seed alone would. */
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

if (values.help) console.log(HELP);
else if (values.until) await work(Number(values.until), asked);
else if (values.minutes) {
  const workers = Number(values.workers ?? availableParallelism());
  const broken = await explore(Number(values.minutes), workers, askedArgs);
  if (broken > 0) process.exitCode = 1;
} else if (values.seed) await replay(Number(values.seed));
else console.log(HELP);

async function replay(seed: number): Promise<void> {
  const engine = await openEngine();
  const report = await simulate({ endpoint: engine.endpoint, ...variantOf(seed), ...asked });
  await engine.stop();
  if (values.trace) for (const call of report.trace) console.log(call);
  console.log(
    `${report.steps} steps of ${report.processes} processes, ${report.violations.length} violations`,
  );
  const faults = Object.entries(report.faults).map(([what, count]) => `${count} ${what}`);
  console.log(`faults: ${faults.join(', ')}`);
  printViolations(report, askedArgs);
  if (report.violations.length > 0) process.exitCode = 1;
}
