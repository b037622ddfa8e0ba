import { Random } from './random.ts';
import type { RunOptions } from './run.ts';

/** The kinds of runs: many small ones, in which whatever goes wrong meets the same few items, and some large ones. */
const SIZES = [
  { people: 5, steps: 0 },
  { people: 5, steps: 0 },
  { people: 5, steps: 3_000 },
  { people: 12, steps: 4_000 },
  { people: 40, steps: 6_000 },
];

const SHARE_WITH_ACTIONS = 0.25;
const SHARE_WITH_UNDO = 0.25;
/** The share among the runs without either. */
const SHARE_WITH_SHORT_SNAPSHOTS = 0.2;
const SHARE_WITH_ONE_POLLER = 0.4;
/** The share among the runs without actions. */
const SHARE_WITH_SOCKETS = 0.5;
const SHARE_WITH_EDGE = 0.4;

/** The type of run that a seed selects unless the caller says otherwise. */
export function variantOf(seed: number): RunOptions {
  const random = new Random(seed).fork('variant');
  const { people, steps } = random.pick(SIZES);
  const withReaders = random.chance(0.5);
  const withPhones = random.chance(0.4);
  const withActions = random.chance(SHARE_WITH_ACTIONS);
  const withUndo = random.chance(SHARE_WITH_UNDO);
  const withShortSnapshots = !withActions && !withUndo && random.chance(SHARE_WITH_SHORT_SNAPSHOTS);
  const withOnePoller = random.chance(SHARE_WITH_ONE_POLLER);
  const withSockets = !withActions && !withUndo && random.chance(SHARE_WITH_SOCKETS);
  const withEdge = random.chance(SHARE_WITH_EDGE);
  const ways = {
    withReaders,
    withPhones,
    withActions,
    withUndo,
    withShortSnapshots,
    withOnePoller,
    withSockets,
    withEdge,
  };
  return { seed, people, steps, ...ways };
}
