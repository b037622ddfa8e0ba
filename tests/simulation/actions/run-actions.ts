import { type Account, roles } from '#shared/domain/users/user.ts';
import { readLowWaterMark } from '#shared/store/log/log.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import { Background } from '#tests/simulation/background.ts';
import { judgeFiles } from '#tests/simulation/judging/judge-files.ts';
import { Doers, type DoneAction } from '#tests/simulation/people/doers.ts';
import { Journal, type Listener } from '#tests/simulation/people/journal.ts';
import { People } from '#tests/simulation/people/people.ts';
import { everything, everythingOfOld } from '#tests/simulation/people/wishes.ts';
import { preload } from '#tests/simulation/preload.ts';
import { closeLog, isSettled, observe, type Report, type RunOptions } from '#tests/simulation/run.ts';
import { Simulation } from '#tests/simulation/simulation.ts';
import { RecordedTable } from '#tests/simulation/tables/recorded-table.ts';
import { ActionWorld } from './action-world.ts';
import { judgeActions } from './judge-actions.ts';

const MAX_STEPS = 40_000;
const LATE_LISTENERS = 3;
/** An export whose worker died waits for minutes. */
const SETTLE_GROWTH = 1.5;
/** The initial role of each user, by name. */
const FIRST_ROLES: Record<string, number> = { Ada: roles.administrator, Bo: roles.moderator };

export interface ActionReport extends Report {
  done: DoneAction[];
  /** Deeds for which there never was an occasion. */
  undone: string[];
  log: LogEntry[];
  listeners: Listener[];
}

/**
 * One run in which people call every writing operation, each with the state of their client. The seed decides it
 * entirely.
 */
export async function runActions({ seed, defect, withAllFaults }: RunOptions): Promise<ActionReport> {
  await preload();
  const simulation = new Simulation({ seed, maxSteps: MAX_STEPS, faults: { hasAll: withAllFaults } });
  const table = await RecordedTable.create(simulation);
  const world = new ActionWorld({ simulation, table, defect });
  const journal = new Journal();
  const people = new People(world, journal);
  const background = new Background(world, journal);
  await world.found();
  const firstPosition = (await readLowWaterMark(table)) + 1;
  await people.createChannels();
  let isOver = false;
  const doers = new Doers(world, journal, people, () => isOver);
  const live = async (): Promise<void> => {
    await giveRoles(doers);
    const listening = Array.from({ length: LATE_LISTENERS }, () => listenLater(world, people, doers));
    const driving = background.run(() => isOver);
    const busy = world.people.flatMap((one) => [doers.act(one), people.sendMessages(one, 2)]);
    await Promise.all(busy);
    isOver = true;
    await Promise.all([...listening, driving]);
    await Promise.all(doers.listening);
    simulation.faults.calm();
    await background.settle(() => isSettled(world), SETTLE_GROWTH);
    await closeLog(world, people, background, SETTLE_GROWTH);
    for (const listener of journal.listeners)
      if (!listener.hasLeft && !listener.wasEnded) await people.drain(listener);
  };
  const report = {
    seed,
    done: doers.done,
    log: [] as LogEntry[],
    listeners: journal.listeners,
  };
  const counted = () => ({
    undone: doers.undone,
    ...simulation.report,
  });
  try {
    await simulation.run(live());
    const left = await observe(world, people, new Journal(), firstPosition);
    const { done, secrets } = doers;
    const remains = { ...left, fresh: await doers.freshSnapshots(), done, secrets };
    report.log.push(...remains.log);
    const violations = [
      ...judgeActions(journal, remains),
      ...(await judgeFiles(world, [...remains.fresh.values()])),
      ...(await table.listMismatches()),
    ];
    return { ...report, ...counted(), violations };
  } catch (failure) {
    const broken = `The run broke: ${failure instanceof Error ? failure.stack : failure}`;
    const violations = [...journal.complaints, broken];
    return { ...report, ...counted(), violations };
  }
}

/** Nothing goes wrong with that yet. */
async function giveRoles(doers: Doers): Promise<void> {
  for (const { fullName, userId } of doers.cast) {
    const role = FIRST_ROLES[fullName];
    if (role !== undefined)
      await doers.insist(doers.cast[0] as Account, 'editUser', { user_id_or_email: userId, role });
  }
  await Promise.all(doers.cast.map((one) => doers.listener(one)));
  await doers.listen(doers.cast[0] as Account, everythingOfOld);
}

async function listenLater(world: ActionWorld, people: People, doers: Doers): Promise<void> {
  const { random } = world;
  await world.wait(random.between(0, 4_000));
  const account = random.pick(world.people);
  await doers.listen(
    account,
    random.chance(0.6) ? everything : { ...people.wishes(account), isPatient: true },
  );
}
