import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { type Copy, copySources } from '#tests/simulation/mutants/mutation-check.ts';
import { Random } from '#tests/simulation/random.ts';
import { Covering } from './covering.ts';
import { reasonOf } from './equivalent.ts';
import { drawMutants, listMutants, PROJECT, type RandomMutant } from './points.ts';
import { copySwitched, type SwitchedCopy } from './switched-copy.ts';
import { type Question, SwitchedTests } from './switched-tests.ts';
import { isRefused } from './trial.ts';
import { OwnTypes } from './types.ts';

const SWEPT = join(PROJECT, 'dist/swept.jsonl');
/** The number of no change. */
const NONE = -1;
/** After so many changes that were caught the tests have to pass without any. */
const CAUGHT_AT_MOST = 25;
/** However long they take. */
const ASKED_AT_LEAST = 3;
/** Sources are loaded anew for so few tests. */
const FRESH_SECONDS = 12;
/** So much longer than alone tests may take beside others, and so long at least. */
const SLOWNESS = 10;
const LEAST_MS = 30_000;

export interface Sweep {
  /** How the paths of the files begin. */
  paths: string[];
  /** Only changes by these operators. */
  operators: string[] | undefined;
  /** How long the tests that are asked about a change take alone, at most. */
  limitSeconds: number;
}

interface Swept {
  id: string;
  /** `untold` where a running program can't make the change. */
  kind: 'caught' | 'survived' | 'refused' | 'untold';
  by?: string;
}

/**
 * Tries every change of a part of the sources in running tests, and prints those that none of them notices. A later sweep goes on
 * where this one was stopped, and tries again what survived.
 */
export async function sweep({ paths, operators, limitSeconds }: Sweep): Promise<void> {
  const swept = readSwept();
  const wanted = Object.values(listMutants((file) => paths.some((path) => file.startsWith(path))))
    .flat()
    .filter((one) => (operators?.includes(one.operator) ?? true) && reasonOf(one) === undefined);
  const left = wanted.filter(({ id }) => !['caught', 'refused'].includes(swept.get(id)?.kind ?? ''));
  console.log(`${wanted.length} changes, ${left.length} of them not caught yet.`);
  const covering = new Covering();
  const switched = await copySwitched();
  const plain = await copySources();
  const typed = await copySources();
  const types = new OwnTypes(typed.folder);
  mkdirSync(dirname(SWEPT), { recursive: true });
  const tell = (mutant: RandomMutant, told: Omit<Swept, 'id'>): void => {
    const one = { id: mutant.id, ...told };
    appendFileSync(SWEPT, `${JSON.stringify(one)}\n`);
    swept.set(one.id, one);
    const { file, line, was, is, id } = mutant;
    if (told.kind === 'survived' || told.kind === 'untold')
      console.log(`${told.kind} ${id}: ${mutant.operator}, ${file}:${line}\n    was ${was}\n    is  ${is}`);
  };
  const asking = { switched, covering, types, limitSeconds };
  const checks = new Checks(plain);
  const waiting = inOrderOfDraws(left);
  try {
    await Promise.all(
      Array.from({ length: availableParallelism() }, () => work(waiting, asking, checks, tell)),
    );
    await checks.end();
    const kinds = Map.groupBy(wanted, ({ id }) => swept.get(id)?.kind ?? 'untold');
    for (const [kind, those] of kinds) console.log(`${those.length} ${kind}`);
  } finally {
    types.end();
    await typed.remove();
    await switched.remove();
    await plain.remove();
  }
}

/** As a draw would take them, so that what survives first tells most about draws. */
function inOrderOfDraws(mutants: RandomMutant[]): RandomMutant[] {
  const byArea = [...Map.groupBy(mutants, ({ area }) => area).values()];
  return drawMutants(byArea, mutants.length, new Random(1));
}

interface Asking {
  switched: SwitchedCopy;
  covering: Covering;
  types: OwnTypes;
  limitSeconds: number;
}

type Tell = (mutant: RandomMutant, told: Omit<Swept, 'id'>) => void;

/** Tries what waits until nothing does. */
async function work(waiting: RandomMutant[], asking: Asking, checks: Checks, tell: Tell): Promise<void> {
  const tests = new SwitchedTests(asking.switched.folder);
  const seen = new Map<RandomMutant, string>();
  /** A change may leave something broken behind, by which all later ones would be caught. */
  const settle = async (): Promise<void> => {
    const question = {
      number: NONE,
      tests: namesOf([...new Set(seen.values())], asking.covering),
      isFresh: false,
    };
    const broken = seen.size > 0 ? await tests.findFailure(question, LEAST_MS * SLOWNESS) : undefined;
    if (broken === undefined) for (const [mutant, by] of seen) tell(mutant, { kind: 'caught', by });
    else {
      console.log(`${broken} fails without a change; ${seen.size} are tried again`);
      tests.stop();
      for (const mutant of seen.keys()) await tryAlone(mutant);
    }
    seen.clear();
  };
  const tryAlone = async (mutant: RandomMutant): Promise<void> => {
    const limitSeconds = Math.min(asking.limitSeconds, FRESH_SECONDS);
    const by = await ask(mutant, tests, { ...asking, limitSeconds }, true);
    if (by === undefined) checks.add(mutant, (kind) => tell(mutant, { kind }));
    else tell(mutant, { kind: 'caught', by });
  };
  for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
    const one = mutant;
    if (!asking.switched.numbers.has(one.id)) tell(one, { kind: 'untold' });
    else if (!asking.types.areRight(one)) tell(one, { kind: 'refused' });
    else if (asking.covering.isOnlyLoaded(one.id)) await tryAlone(one);
    else {
      const by = await ask(one, tests, asking, false);
      // What other tests left in the process may hide a change.
      if (by === undefined) await tryAlone(one);
      else seen.set(one, by);
    }
    if (seen.size >= CAUGHT_AT_MOST) await settle();
  }
  await settle();
  tests.stop();
}

/** The test file that catches a change, if one does of those for which there is time. */
async function ask(
  mutant: RandomMutant,
  tests: SwitchedTests,
  { switched, covering, limitSeconds }: Asking,
  isFresh: boolean,
): Promise<string | undefined> {
  let seconds = 0;
  const asked = covering
    .reachingOf(mutant)
    .filter((test) => covering.isSwitchable(test))
    .filter((test, index) => {
      seconds += covering.secondsOf(test);
      return index < ASKED_AT_LEAST || seconds < limitSeconds;
    });
  const number = switched.numbers.get(mutant.id);
  if (asked.length === 0 || number === undefined) return undefined;
  const question = { number, tests: namesOf(asked, covering), isFresh };
  return tests.findFailure(question, LEAST_MS + SLOWNESS * limitSeconds * 1000);
}

const namesOf = (files: string[], covering: Covering): Question['tests'] =>
  files.map((file) => ({ file, without: covering.failedOf(file) }));

/** Asks the types and the lint about what no test caught, one change after the other. */
class Checks {
  readonly #plain: Copy;
  #last: Promise<void> = Promise.resolve();

  constructor(plain: Copy) {
    this.#plain = plain;
  }

  add(mutant: RandomMutant, tell: (kind: 'refused' | 'survived') => void): void {
    this.#last = this.#last.then(async () =>
      tell((await isRefused(mutant, this.#plain.folder)) ? 'refused' : 'survived'),
    );
  }

  end(): Promise<void> {
    return this.#last;
  }
}

function readSwept(): Map<string, Swept> {
  const lines = existsSync(SWEPT) ? readFileSync(SWEPT, 'utf8').split('\n').filter(Boolean) : [];
  const swept: Swept[] = lines.map((line) => JSON.parse(line));
  return new Map(swept.map((one) => [one.id, one]));
}
