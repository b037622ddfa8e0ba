import { availableParallelism } from 'node:os';
import { readMutantOptions } from '#tests/mutation/options.ts';
import type { RunKind } from './mutant.ts';
import { mutants } from './mutants.ts';
import { copySources, tryMutant } from './mutation-check.ts';

/**
 * `npm run mutants`: breaks the service in each way that the list names, and demands that the simulation notices. Ends
 * with 1 when one of them kept every promise, or when the service as it is broke one.
 */
const { seeds: runs = 60, only = '', workers = availableParallelism() } = readMutantOptions();
const seeds = Array.from({ length: runs }, (_, index) => index + 1);

interface Verdict {
  name: string;
  kind: RunKind;
  runs: number;
  violations: string[];
}

const chosen = mutants.filter(({ name }) => name.includes(only));
const waiting = [...chosen];
const verdicts: Verdict[] = [];
await Promise.all(Array.from({ length: workers }, work));
const survivors = verdicts.filter(({ violations }) => violations.length === 0);
const controls = controlsFor(verdicts.filter(({ violations }) => violations.length > 0));
console.log('\nWithout a mutant:');
const failures = (await Promise.all(Array.from({ length: workers }, tryControls))).flat();

console.log(`\n${chosen.length - survivors.length} of ${chosen.length} mutants were noticed.`);
for (const { name } of survivors) console.log(`SURVIVED ${seeds.length} runs: ${name}`);
for (const failure of failures) console.log(`FAILED without a mutant: ${failure}`);
process.exitCode = survivors.length + failures.length === 0 ? 0 : 1;

/** One worker has one copy of the sources, and breaks it in one way after another. */
async function work(): Promise<void> {
  const copy = await copySources();
  for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
    const { name, run: kind = {} } = mutant;
    const result = await tryMutant(copy, mutant, { kind, seeds });
    const verdict = { name, kind, ...result };
    verdicts.push(verdict);
    report(verdict);
  }
  await copy.remove();
}

interface Control {
  kind: RunKind;
  count: number;
}

/** For each kind of run, as many seeds as it took to notice the last of its mutants; the longest first. */
function controlsFor(noticed: Verdict[]): Control[] {
  const byKind = [...Map.groupBy(noticed, ({ kind }) => JSON.stringify(kind)).values()];
  return byKind
    .map((same) => ({ kind: same[0]?.kind ?? {}, count: Math.max(...same.map(({ runs }) => runs)) }))
    .sort((a, b) => b.count - a.count);
}

/** The run of the unchanged service with the seeds that were needed: nothing else noticed the mutants. */
async function tryControls(): Promise<string[]> {
  const copy = await copySources();
  const failures: string[] = [];
  for (let control = controls.shift(); control; control = controls.shift()) {
    const { kind, count } = control;
    const trial = { kind, seeds: seeds.slice(0, count) };
    const { runs, violations } = await tryMutant(copy, undefined, trial);
    const isClean = violations.length === 0;
    console.log(`${JSON.stringify(kind)}: ${count} runs, ${isClean ? 'every promise kept' : 'FAILED'}`);
    failures.push(...violations.map((violation) => `seed ${runs} of ${JSON.stringify(kind)}: ${violation}`));
  }
  await copy.remove();
  return failures;
}

function report({ name, runs, violations: [violation] }: Verdict): void {
  const shown = violation?.split('\n')[0]?.slice(0, 160);
  console.log(
    shown ? `${name}\n    noticed by seed ${runs}: ${shown}` : `${name}\n    SURVIVED ${runs} runs`,
  );
}
