import { readMutantOptions } from './options.ts';

/** `npm run mutants` */
const { random, id, ...given } = readMutantOptions();
if (random === undefined && id === undefined) await import('#tests/simulation/mutants/main.ts');
else {
  const { trySample } = await import('./sample.ts');
  const { seed = 1, area, limit: limitSeconds = 600 } = given;
  await trySample({ count: random ?? 1, seed, area, id, limitSeconds });
}
