import { parseArgs } from 'node:util';

/**
 * `npm run mutants`: breaks the service and demands that something notices. With `--random` it breaks it at random
 * places and runs the tests that cover them; otherwise it breaks it as a list says and runs the simulation.
 */
const { values: given } = parseArgs({
  options: {
    random: { type: 'string' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    area: { type: 'string' },
    id: { type: 'string' },
    tests: { type: 'string', default: '24' },
    limit: { type: 'string', default: '600' },
  },
  strict: false,
});

if (given.random === undefined && given.id === undefined) await import('#tests/simulation/mutants/main.ts');
else {
  const { tryRandomMutants } = await import('./try-random.ts');
  const hasHeld = await tryRandomMutants({
    count: Number(given.random ?? 1),
    from: Number(given.from),
    seed: Number(given.seed),
    area: given.area as string | undefined,
    id: given.id as string | undefined,
    tests: Number(given.tests),
    limitSeconds: Number(given.limit),
  });
  process.exitCode = hasHeld ? 0 : 1;
}
