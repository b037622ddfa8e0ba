import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { startEngine } from '#infra/local/engine.ts';
import { mutants } from './mutants.ts';
import { copySources, tryMutant } from './mutation-check.ts';

/**
 * `npm run mutants`: breaks the service in each way that the list names, and demands that the simulation notices. Ends
 * with 1 when one of them kept every promise, or when the service as it is broke one.
 */
const { values: given } = parseArgs({
  options: {
    seeds: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
});
const seeds = Array.from({ length: Number(given.seeds) }, (_, index) => index + 1);

interface Verdict {
  name: string;
  runs: number;
  violations: string[];
}

const engine = await startEngine({});
const chosen = mutants.filter(({ name }) => name.includes(given.only));
const waiting = [...chosen];
const verdicts: Verdict[] = [];
await Promise.all(Array.from({ length: Number(given.workers) }, work));
const survivors = verdicts.filter(({ violations }) => violations.length === 0);
const failures = await tryControls(Math.max(...verdicts.map(({ runs }) => runs)));
await engine.stop();

console.log(`\n${chosen.length - survivors.length} of ${chosen.length} mutants were noticed.`);
for (const { name } of survivors) console.log(`SURVIVED ${seeds.length} runs: ${name}`);
for (const failure of failures) console.log(`FAILED without a mutant: ${failure}`);
process.exitCode = survivors.length + failures.length === 0 ? 0 : 1;

/** One worker has one copy of the sources, and breaks it in one way after another. */
async function work(): Promise<void> {
  const copy = await copySources();
  for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
    const trial = { endpoint: engine.endpoint, kind: mutant.run ?? {}, seeds };
    const verdict = { name: mutant.name, ...(await tryMutant(copy, mutant, trial)) };
    verdicts.push(verdict);
    report(verdict);
  }
  await copy.remove();
}

/** What the service as it is does with the seeds that were needed: the mutants were noticed by nothing else. */
async function tryControls(count: number): Promise<string[]> {
  const copy = await copySources();
  const kinds = new Map(chosen.map(({ run = {} }) => [JSON.stringify(run), run]));
  const violations: string[] = [];
  for (const kind of kinds.values()) {
    const trial = { endpoint: engine.endpoint, kind, seeds: seeds.slice(0, count) };
    violations.push(...(await tryMutant(copy, undefined, trial)).violations);
  }
  await copy.remove();
  return violations;
}

function report({ name, runs, violations: [violation] }: Verdict): void {
  const shown = violation?.split('\n')[0]?.slice(0, 160);
  console.log(
    shown ? `${name}\n    noticed by seed ${runs}: ${shown}` : `${name}\n    SURVIVED ${runs} runs`,
  );
}
