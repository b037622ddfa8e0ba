import { type Account, roles } from '#shared/domain/users/user.ts';
import { listEntries, readCounter } from '#shared/store/log/log.ts';
import { ActionWorld } from '#tests/simulation/actions/action-world.ts';
import { Journal } from '#tests/simulation/people/journal.ts';
import { RecordedTable } from '#tests/simulation/tables/recorded-table.ts';
import { Background } from '../background.ts';
import { preload } from '../preload.ts';
import type { Random } from '../random.ts';
import { isSettled, type Report, type RunOptions } from '../run.ts';
import { Simulation } from '../simulation.ts';
import { scenarios } from './catalogue.ts';
import { compare, observe } from './observation.ts';
import type { Plan, Scenario, Step } from './scenario.ts';
import { Stage } from './stage.ts';

/** When the jobs of a scenario run: before it is taken back, meanwhile, or not until then. */
type Timing = 'before' | 'between' | 'after';

/** Most faults depend on timing. */
const timings: Timing[] = ['before', 'between', 'between', 'between', 'between', 'after'];

const SCENARIOS_PER_RUN = 4;
const MAX_STEPS = 60_000;
/** A call that waits gives people time to change their minds. */
const FAULT_RATES = { delayed: 0.2 };
const MAX_ATTEMPTS = 40;
const MAX_PAUSE_MS = 150;
const SEALED_AFTER_MS = 2_000;
const FIRST_ROLES: Record<string, number> = { Ada: roles.administrator, Bo: roles.moderator };

export interface UndoOptions extends Pick<RunOptions, 'seed'> {
  /** The scenarios that run; a choice of all of them by the seed if absent. */
  only?: string[] | undefined;
}

/**
 * One run in which people do things and undo them, once or twice, and in which the observed state afterwards must
 * equal the one before. The seed decides which things, when jobs run, and which faults happen.
 */
export async function runUndo({ seed, only }: UndoOptions): Promise<Report> {
  await preload();
  const simulation = new Simulation({ seed, maxSteps: MAX_STEPS, faults: { highestRates: FAULT_RATES } });
  const table = await RecordedTable.create(simulation);
  const world = new ActionWorld({ simulation, table });
  const theater = new Theater(world);
  const random = simulation.random.fork('scenarios');
  const violations: string[] = [];
  try {
    await theater.open();
    for (const scenario of choose(random, only)) {
      const timing = random.pick(timings);
      const times = random.chance(0.3) ? 2 : 1;
      const what = `${scenario.name} (jobs ${timing}${times === 2 ? ', twice' : ''})`;
      const found = await theater.play(scenario, timing, times);
      violations.push(...found.map((violation) => `${what}: ${violation}`));
      // One broken promise leads to others.
      if (found.length > 0) break;
    }
    violations.push(...theater.journal.complaints, ...(await table.listMismatches()));
  } catch (failure) {
    violations.push(`The run broke: ${failure instanceof Error ? failure.stack : failure}`);
  }
  return { seed, violations, ...simulation.report };
}

function choose(random: Random, only: string[] | undefined): Scenario[] {
  const rest = scenarios.filter(({ name }) => only?.some((part) => name.includes(part)) ?? true);
  const count = Math.min(SCENARIOS_PER_RUN, rest.length);
  return Array.from(
    { length: count },
    () => rest.splice(random.between(0, rest.length - 1), 1)[0] as Scenario,
  );
}

/** Plays scenarios, one after the other, in one organization. */
class Theater {
  readonly journal = new Journal();
  readonly #world: ActionWorld;
  readonly #background: Background;
  readonly #stage: Stage;

  constructor(world: ActionWorld) {
    this.#world = world;
    this.#background = new Background(world, this.journal);
    this.#stage = new Stage(world);
    world.simulation.faults.calm();
  }

  async open(): Promise<void> {
    await this.#world.found();
    for (const [name, role] of Object.entries(FIRST_ROLES))
      await this.#stage.call(this.#stage.owner, 'editUser', { user_id_or_email: this.#stage.id(name), role });
    await this.#settle();
  }

  /** The violations at the end. */
  async play(scenario: Scenario, timing: Timing, times: number): Promise<string[]> {
    const { simulation, table } = this.#world;
    const plan = await scenario.prepare(this.#stage);
    await this.#settle();
    const before = await observe(this.#world);
    const start = await readCounter(table);
    simulation.faults.stir();
    for (let n = 0; n < (plan.isOnce ? 1 : times); n++) await this.#actAndUndo(plan, timing);
    await this.#settle();
    const seen = await observe(this.#world);
    const log = await listEntries(table, start + 1, await readCounter(table));
    const claims = (await plan.claims?.({ seen, log })) ?? [];
    for (const observation of [before, seen])
      for (const [name, view] of observation) plan.forget?.(view, name);
    return [...compare(before, seen), ...claims];
  }

  async #actAndUndo({ act, undo }: Plan, timing: Timing): Promise<void> {
    const { simulation } = this.#world;
    if (timing === 'between') {
      let isOver = false;
      const acting = this.#doAll([...act, ...undo]).finally(() => {
        isOver = true;
      });
      await simulation.run(Promise.all([acting, this.#background.run(() => isOver)]));
      return;
    }
    await simulation.run(this.#doAll(act));
    if (timing === 'before') {
      await this.#settle();
      simulation.faults.stir();
    }
    await simulation.run(this.#doAll(undo));
  }

  async #doAll(steps: Step[]): Promise<void> {
    const { random } = this.#world;
    for (const step of steps) {
      await this.#world.wait(random.between(0, step.maxPauseMs ?? MAX_PAUSE_MS));
      await this.#insist(step);
    }
  }

  /** Repeated until it is done; a later refusal means that an earlier attempt succeeded whose reply was lost. */
  async #insist({ by, operation, params: asked, mayBeRefused }: Step): Promise<void> {
    const params = typeof asked === 'function' ? await asked() : asked;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const outcome = await this.#world.query(this.#stage.account(by) as Account, operation, params);
      const verdict = this.journal.verdict(operation, outcome);
      if (verdict === 'refused' && attempt === 1 && !mayBeRefused)
        this.journal.complaints.push(
          `${by} was refused ${operation} ${JSON.stringify(params)}: ${outcome.kind === 'failed' && outcome.failure}`,
        );
      if (verdict !== 'unknown') return;
    }
    this.journal.complaints.push(`${operation} never came to an end`);
  }

  /** Without faults, until every job is done, and the sweep has come by after the log's holes can be sealed. */
  async #settle(): Promise<void> {
    const { simulation } = this.#world;
    simulation.faults.calm();
    const settling = async (): Promise<void> => {
      await this.#background.settle(() => isSettled(this.#world));
      await this.#world.wait(SEALED_AFTER_MS);
      await this.#background.sweep();
    };
    await simulation.run(settling());
  }
}
