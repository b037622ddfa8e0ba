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

/** Mostly none; all processes alike, or as while a new version comes. */
const TAIL_COPIES = [[1], [1], [3], [1, 3, 5]];

const SHARE_WITH_DEEDS = 0.25;
const SHARE_WITH_UNDO = 0.25;

/** What kind of run a seed stands for when nobody says otherwise. */
export function variantOf(seed: number): Omit<RunOptions, 'endpoint'> {
  const random = new Random(seed).fork('variant');
  const { people, steps } = random.pick(SIZES);
  const withReaders = random.chance(0.5);
  const withPhones = random.chance(0.4);
  const tailCopies = random.pick(TAIL_COPIES);
  const withDeeds = random.chance(SHARE_WITH_DEEDS);
  const withUndo = random.chance(SHARE_WITH_UNDO);
  return { seed, people, steps, withReaders, withPhones, tailCopies, withDeeds, withUndo };
}
