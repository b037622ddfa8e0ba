import { readMutantOptions } from './options.ts';

/** `npm run mutants` */
const given = readMutantOptions();
if (given.isLearning) {
  const { learn } = await import('./learnt.ts');
  await learn();
} else if (given.sweep !== undefined) {
  const { sweep } = await import('./sweep.ts');
  await sweep({
    paths: given.sweep.split(','),
    operators: given.operator?.split(','),
    limitSeconds: given.limit ?? 60,
  });
} else if (given.isRandom) {
  const { tryRandomMutants } = await import('./try-random.ts');
  const hasHeld = await tryRandomMutants({
    count: given.random ?? 1,
    from: given.from ?? 1,
    seed: given.seed ?? 1,
    area: given.area,
    id: given.id,
    tests: given.tests ?? 60,
    limitSeconds: given.limit ?? 600,
  });
  process.exitCode = hasHeld ? 0 : 1;
} else await import('#tests/simulation/mutants/main.ts');
