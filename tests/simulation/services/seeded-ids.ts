import type { Ids } from '#shared/runtime/ids.ts';
import type { Random } from '#tests/simulation/random.ts';

/** Ids that the seed decides. */
export function seededIds(random: Random): Ids {
  const digits = (count: number): string =>
    Array.from({ length: count }, () => random.between(0, 15).toString(16)).join('');
  return {
    uuid: () => [8, 4, 4, 4, 12].map(digits).join('-'),
    writeId: () => digits(8),
    fraction: () => random.fraction(),
  };
}
