import { readMutantOptions } from './options.ts';

/** `npm run mutants` */
const given = readMutantOptions();
if (given.isRandom) {
  const { tryRandomMutants } = await import('./try-random.ts');
  const hasHeld = await tryRandomMutants({
    count: Number(given.random ?? 1),
    from: Number(given.from ?? 1),
    seed: Number(given.seed ?? 1),
    area: given.area,
    id: given.id,
    tests: Number(given.tests ?? 24),
    limitSeconds: Number(given.limit ?? 600),
  });
  process.exitCode = hasHeld ? 0 : 1;
} else await import('#tests/simulation/mutants/main.ts');
