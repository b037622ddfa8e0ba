import { parseArgs } from 'node:util';

const HELP = `Breaks the service and demands that something notices.

npm run mutants                      breaks it as a list says, and runs the simulation
    --only TEXT                      those whose names contain the text
    --seeds N                        so many runs of each at most, as a rule 60
    --workers N                      in so many processes; as a rule one for each core
npm run mutants -- --random N        breaks it at N random places, and runs the tests that cover each
    --seed N                         which places these are, as a rule 1
    --area NAME                      of functions, shared, infra, web/state and web/net only this one
    --from N                         goes on with the one of this number, where an earlier run was stopped
    --tests N, --limit SECONDS       how many files of tests for each, as a rule 24, and for how long, 600
npm run mutants -- --id ID           tries one of them again
`;

const { values: given } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
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

if (given.help) console.log(HELP);
else if (given.random === undefined && given.id === undefined)
  await import('#tests/simulation/mutants/main.ts');
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
