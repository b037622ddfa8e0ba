import { refuseCall } from '#infra/command-line.ts';
import { copySources } from '#tests/simulation/mutants/mutation-check.ts';
import { Random } from '#tests/simulation/random.ts';
import { type Area, areas } from './areas.ts';
import { drawMutants, listMutants, type RandomMutant } from './points.ts';
import { type Outcome, tryMutant } from './trial.ts';

export interface Sample {
  /** The number of mutants to try, without mutants that the types refuse. */
  count: number;
  seed: number;
  /** Only mutants of this area. */
  area: Area | undefined;
  /** Only the mutant of this id. */
  id: string | undefined;
  limitSeconds: number;
}

/** Breaks a copy of the sources at random places, one at a time, and prints which share of them the tests catch. */
export async function trySample({ count, seed, area, id, limitSeconds }: Sample): Promise<void> {
  const all = listMutants();
  const chosen = area === undefined ? Object.values(all) : [all[area]];
  const mutants =
    id === undefined ? drawMutants(chosen, 3 * count, new Random(seed)) : [findMutant(chosen.flat(), id)];
  const copy = await copySources();
  const outcomes: Outcome[] = [];
  for (const mutant of mutants) {
    if (outcomes.length === count) break;
    const outcome = await tryMutant(mutant, copy.folder, limitSeconds);
    if (outcome.kind === 'refused') continue;
    outcomes.push(outcome);
    report(mutant, outcome);
  }
  await copy.remove();
  const caught = outcomes.filter(({ kind }) => kind === 'caught').length;
  const survived = outcomes.filter(({ kind }) => kind === 'survived').length;
  console.log(
    `${caught} caught, ${survived} survived, ${outcomes.length - caught - survived} undecided, of seed ${seed} in ${area ?? Object.keys(areas).join(', ')}`,
  );
}

function findMutant(mutants: RandomMutant[], id: string): RandomMutant {
  return mutants.find((mutant) => mutant.id === id) ?? refuseCall(`No mutant has the id ${id}.`);
}

function report({ file, line, operator, was, is, id }: RandomMutant, outcome: Outcome): void {
  const by = outcome.kind === 'caught' ? ` by ${outcome.by}` : '';
  console.log(`${outcome.kind}${by}: ${operator}, ${file}:${line}`);
  if (outcome.kind !== 'caught')
    console.log(
      `    was ${was.slice(0, 400)}\n    is  ${is.slice(0, 400)}\n    npm run mutants -- --id ${id}`,
    );
}
