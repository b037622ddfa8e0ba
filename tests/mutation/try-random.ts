import { refuseCall } from '#infra/command-line.ts';
import { type Copy, copySources } from '#tests/simulation/mutants/mutation-check.ts';
import { Random } from '#tests/simulation/random.ts';
import { type Area, areas } from './areas.ts';
import { Covering } from './covering.ts';
import { reasonOf } from './equivalent.ts';
import { drawMutants, listMutants, type RandomMutant } from './points.ts';
import { copySwitched, type SwitchedCopy } from './switched-copy.ts';
import { OUT_OF_TIME, SwitchedTests } from './switched-tests.ts';
import { isRefused, listFailing, type Outcome, tryMutant } from './trial.ts';
import { OwnTypes } from './types.ts';

export interface RandomRun {
  /** How many are tried. Those that the types refuse are not among them. */
  count: number;
  /** The number of the first one in the draw, where an earlier run was stopped. */
  from: number;
  seed: number;
  /** Only mutants of this area. */
  area: Area | undefined;
  /** Only the mutant of this id. */
  id: string | undefined;
  /** How many test files are run at most for one mutant, and for how long. */
  tests: number;
  limitSeconds: number;
}

type Verdict = { mutant: RandomMutant; outcome: Outcome | { kind: 'equivalent'; reason: string } };

/** Breaks a copy of the sources at random places, one at a time, and prints what the tests noticed. */
export async function tryRandomMutants(run: RandomRun): Promise<boolean> {
  const mutants = choose(run);
  const copy = await copySources();
  const switched = await copySwitched();
  const means = {
    ...{ copy, switched, covering: new Covering() },
    ...{ tests: new SwitchedTests(switched.folder), types: new OwnTypes(copy.folder) },
  };
  const verdicts: Verdict[] = [];
  try {
    let tried = 0;
    for (const [index, mutant] of mutants.entries()) {
      if (tried === run.count) break;
      if (index + 1 < run.from) continue;
      const beganMs = Date.now();
      const verdict = { mutant, outcome: await judge(mutant, means, run) };
      verdicts.push(verdict);
      if (verdict.outcome.kind !== 'refused') tried++;
      report(verdict, `${index + 1} in ${Math.round((Date.now() - beganMs) / 1000)} s`);
    }
    const broken = await findBroken(copy.folder, verdicts, run.limitSeconds);
    return summarize(verdicts, broken);
  } finally {
    means.tests.stop();
    means.types.end();
    await switched.remove();
    await copy.remove();
  }
}

/** The process ends here when no mutant has the id that was asked for. */
function choose({ count, from, seed, area, id }: RandomRun): RandomMutant[] {
  const all = listMutants();
  const asked = area === undefined ? Object.values(all) : [all[area]];
  console.log(`${asked.flat().length} mutants in ${area ?? Object.keys(areas).join(', ')}.`);
  if (id === undefined) return drawMutants(asked, from + 2 * count, new Random(seed));
  const chosen = asked.flat().filter((mutant) => mutant.id === id);
  if (chosen.length === 0) refuseCall(`No mutant has the id ${id} any more.`);
  return chosen.slice(0, 1);
}

interface Means {
  copy: Copy;
  switched: SwitchedCopy;
  tests: SwitchedTests;
  types: OwnTypes;
  covering: Covering;
}

async function judge(mutant: RandomMutant, means: Means, run: RandomRun): Promise<Verdict['outcome']> {
  const reason = reasonOf(mutant);
  if (reason !== undefined) return { kind: 'equivalent', reason };
  const { copy, covering, types } = means;
  if (!types.areRight(mutant) || (await isRefused(mutant, copy.folder))) return { kind: 'refused' };
  const by = await findCatching(mutant, means, run);
  if (by !== undefined) return { kind: 'caught', by };
  const tests = covering.testsOf(mutant).slice(0, run.tests);
  return tryMutant(mutant, { folder: copy.folder, tests, limitSeconds: run.limitSeconds });
}

/** The test file that catches a mutant twice in the switched copy, where one of them takes seconds. What none catches there is tried in earnest. */
async function findCatching(
  mutant: RandomMutant,
  { switched, tests, covering }: Means,
  run: RandomRun,
): Promise<string | undefined> {
  const number = switched.numbers.get(mutant.id);
  const asked = covering.reachingOf(mutant).filter((test) => covering.isSwitchable(test));
  if (number === undefined || asked.length === 0) return undefined;
  const ask = (files: string[]) => {
    const some = files.map((file) => ({ file, without: covering.failedOf(file) }));
    return tests.findFailure({ number, tests: some, isFresh: true }, run.limitSeconds * 1000);
  };
  const by = await ask(asked.slice(0, run.tests));
  if (by === undefined || by === OUT_OF_TIME) return undefined;
  return (await ask([by])) === by ? by : undefined;
}

/** Of the test files that caught mutants, those that fail without any. They have proven nothing. */
async function findBroken(folder: string, verdicts: Verdict[], limitSeconds: number): Promise<Set<string>> {
  const files = new Set(verdicts.flatMap(({ outcome }) => (outcome.kind === 'caught' ? [outcome.by] : [])));
  return new Set(await listFailing(folder, [...files], limitSeconds * 1000));
}

function report({ mutant, outcome }: Verdict, place: string): void {
  const { file, line, operator, was, is, id } = mutant;
  const by = outcome.kind === 'caught' ? ` by ${outcome.by}` : '';
  console.log(`${place} ${outcome.kind}${by}: ${operator}, ${file}:${line}`);
  if (outcome.kind === 'caught' || outcome.kind === 'refused') return;
  console.log(`    was ${was.slice(0, 400)}\n    is  ${is.slice(0, 400)}`);
  if (outcome.kind === 'equivalent') console.log(`    ${outcome.reason}`);
  else console.log(`    npm run mutants -- --id ${id}`);
}

/** True when nothing survived. */
function summarize(verdicts: Verdict[], broken: Set<string>): boolean {
  for (const file of broken) console.log(`FAILS WITHOUT A MUTANT, and has caught nothing: ${file}`);
  const kindOf = ({ outcome }: Verdict): string =>
    outcome.kind === 'caught' && broken.has(outcome.by) ? 'undecided' : outcome.kind;
  const kinds = ['caught', 'survived', 'undecided', 'equivalent', 'refused'];
  const rows = [...Map.groupBy(verdicts, ({ mutant }) => mutant.area), ['all', verdicts] as const];
  console.log(`\n${['area', ...kinds, 'caught of decided'].join('\t')}`);
  for (const [area, own] of rows) {
    const counts = kinds.map((kind) => own.filter((verdict) => kindOf(verdict) === kind).length);
    const [caught = 0, survived = 0] = counts;
    const share = caught + survived === 0 ? '-' : `${Math.round((100 * caught) / (caught + survived))} %`;
    console.log([area, ...counts, share].join('\t'));
  }
  return verdicts.every((verdict) => kindOf(verdict) !== 'survived');
}
