import { Random } from './random.ts';
import type { RunOptions } from './run.ts';

/** The kinds of runs: many small ones, in which whatever goes wrong meets the same few items, and some large ones. */
const SIZES = [
  { people: 5, steps: 0 },
  { people: 5, steps: 0 },
  { people: 5, steps: 4_000 },
  { people: 12, steps: 6_000 },
  { people: 40, steps: 12_000 },
];

/** What kind of run a seed stands for when nobody says otherwise. */
export function variantOf(seed: number): Omit<RunOptions, 'endpoint'> {
  const random = new Random(seed).fork('variant');
  return { seed, ...random.pick(SIZES), withReaders: random.chance(0.5) };
}
