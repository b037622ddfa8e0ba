import { join } from 'node:path';
import { BaseSequencer, createVitest, type TestSpecification } from 'vitest/node';
import { KeptWorker } from './kept-worker.ts';
import type { Answer, Question } from './switched-tests.ts';

/** A process of its own: keeps the sources of a switched copy compiled, and runs test files with one change after the other. */
const folder = process.argv[2] ?? '';
/** Engines and caches of the service grow with each test. */
const RUNS_OF_A_WORKER = 150;
/** So that each worker has the setup that tells it what to make. */
process.env.MUTANT = '-1';

/** The most promising first, as they are given. */
class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

let worker: KeptWorker | undefined;
let runs = 0;
const vitest = await createVitest('test', {
  root: folder,
  watch: false,
  bail: 1,
  maxWorkers: 1,
  reporters: [{}],
  sequence: { sequencer: AsGiven },
  pool: { name: 'kept', createPoolWorker: (options) => (worker ??= new KeptWorker(options)) },
  // What hangs with a change is noticed.
  testTimeout: 60_000,
  hookTimeout: 60_000,
});
const project = vitest.getRootProject();

process.on('message', async ({ number, tests, isFresh }: Question) => {
  if (isFresh || ++runs > RUNS_OF_A_WORKER) await endWorker();
  project.provide('madeChange', number);
  vitest.state.filesMap.clear();
  const specifications = tests.map(({ file, without }) =>
    project.createSpecification(join(folder, file), { testNamePattern: allBut(without) }),
  );
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  if (isFresh) await endWorker();
  const failed = testModules.filter((module) => module.state() === 'failed');
  // A file that was stopped because of another one has failed as well, but none of its tests.
  const first = failed.find(({ children }) => !children.allTests('failed').next().done) ?? failed[0];
  const by =
    first?.moduleId.slice(folder.length + 1) ?? (unhandledErrors.length > 0 ? tests[0]?.file : undefined);
  process.send?.({ by } satisfies Answer);
});

function allBut(names: string[]): RegExp {
  const texts = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return names.length === 0 ? /^/ : new RegExp(`^(?!(?:${texts.join('|')})$)`);
}

async function endWorker(): Promise<void> {
  await worker?.end();
  worker = undefined;
  runs = 0;
}
