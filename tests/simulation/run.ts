import type { Account } from '#shared/domain/users/user.ts';
import { listChannels } from '#shared/store/channels/channels.ts';
import { listSubscriberIds, listSubscriptions } from '#shared/store/channels/subscriptions.ts';
import { listJobs } from '#shared/store/log/jobs.ts';
import { listEntries, readCounter, readLowWaterMark } from '#shared/store/log/log.ts';
import { listPendingScheduled, listScheduledOf } from '#shared/store/scheduled-messages.ts';
import { listUsers } from '#shared/store/users/users.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import { Background } from './background.ts';
import { judge, type Remains } from './judging/judge.ts';
import { Journal, type Listener } from './people/journal.ts';
import { People } from './people/people.ts';
import { Phones } from './people/phones.ts';
import { Readers } from './people/readers.ts';
import { Sleepers } from './people/sleepers.ts';
import { SocketClients } from './people/socket-clients.ts';
import { preload } from './preload.ts';
import { Simulation } from './simulation.ts';
import { RecordedTable } from './tables/recorded-table.ts';
import { type Defect, World } from './world.ts';

export interface RunOptions {
  seed: number;
  /** Makes the table of every process defective. */
  defect?: Defect;
  /** People also mark messages as read and unread. */
  withReaders?: boolean;
  /** Some people have phones, which are notified through a relay. */
  withPhones?: boolean;
  /** Register answers with nearly nothing, and the first events of each queue contain the rest. */
  withShortSnapshots?: boolean;
  /** All polls run in one process, which reads the log once for all of them. */
  withOnePoller?: boolean;
  /** Some clients have the events of their queues pushed through sockets, and poll at other times. */
  withSockets?: boolean;
  /** Nothing goes wrong in the processes that push; otherwise the seed decides. */
  withSteadyPushers?: boolean;
  /** Polls and sends go through the whole chain of a function, from the event of API Gateway to its answer. */
  withEdge?: boolean;
  /** People do everything that writes; says how many there are and how long they act itself. */
  withActions?: boolean;
  /** People do things and take them back; of all such scenarios, those whose names contain one of the texts. */
  withUndo?: boolean | string[];
  /** How many people there are, with the owner; each has a client or more. */
  people?: number;
  /** Everything that can go wrong does. */
  withAllFaults?: boolean;
  /** People go on acting until this many steps were made. */
  steps?: number;
}

export interface Report {
  seed: number;
  steps: number;
  /** Requests, polls and runs of workers. */
  processes: number;
  /** Broken promises; empty when all is well. */
  violations: string[];
  /** How often each thing went wrong. */
  faults: Record<string, number>;
  /** Every call in order, with its fault. */
  trace: string[];
}

/** One run, which the seed decides entirely: an organization in a table of its own, its people, and the faults. */
export async function runSimulation(options: RunOptions): Promise<Report> {
  const { seed, people: size, defect } = options;
  await preload();
  const simulation = new Simulation({ seed, ...(size && { people: size }), maxSteps: maxStepsOf(options) });
  const table = await RecordedTable.create(simulation);
  const { withPhones, withShortSnapshots, withOnePoller, withSockets, withSteadyPushers, withEdge } = options;
  const ways = { withPhones, withShortSnapshots, withOnePoller, withSockets, withSteadyPushers, withEdge };
  const world = new World({ simulation, table, people: size, defect, ...ways });
  const journal = new Journal();
  const people = new People(world, journal);
  const readers = options.withReaders ? new Readers(world, journal) : undefined;
  const background = new Background(world, journal);
  await world.found();
  const firstPosition = (await readLowWaterMark(table)) + 1;
  await people.createChannels();
  const phones = new Phones(world);
  if (options.withPhones) await phones.add();
  const cast = { world, journal, people, readers, background, minSteps: options.steps ?? 0 };
  const conclude = (violations: string[]): Report => ({ seed, violations, ...simulation.report });
  try {
    await simulation.run(liveTogether(cast));
    const remains = await observe(world, people, journal, firstPosition);
    await simulation.run(new Sleepers(world, journal).end());
    return conclude([
      ...judge(journal, remains),
      ...phones.judge(remains.log, world.handedOver, readers !== undefined),
      ...(await table.listMismatches()),
    ]);
  } catch (failure) {
    const broken = `The run broke: ${failure instanceof Error ? failure.stack : failure}`;
    return conclude([...journal.complaints, broken]);
  }
}

/** Every user and everything that acts in a run. */
interface Cast {
  world: World;
  journal: Journal;
  people: People;
  readers: Readers | undefined;
  background: Background;
  minSteps: number;
}

/** A run hangs when it takes more steps than people make trouble. */
const maxStepsOf = ({ people = 5, steps = 0 }: RunOptions): number => 4 * steps + 4_000 * people;

const MESSAGES = [4, 8] as const;
const CHANGES = [2, 5] as const;
const SCHEDULED = [1, 3] as const;
const MARKS = [8, 16] as const;
/** The listeners who come later, for each who listens from the beginning. */
const LATE_LISTENERS_PER_PERSON = 0.8;

/** All users act at the same time and with faults; then things calm down and the queues are read. */
async function liveTogether(cast: Cast): Promise<void> {
  const { world, journal, people, background } = cast;
  const { random, simulation } = world;
  let isOver = false;
  const over = (): boolean => isOver;
  const register = (account: Account) => people.register(account, people.wishes(account));
  const clients = new SocketClients(world, people, journal);
  const listenLater = async (account: Account): Promise<void> => {
    await world.wait(random.between(0, 2_500));
    await clients.listen(await register(account), over);
  };
  const early = await Promise.all(world.people.map(register));
  const busy = world.people.flatMap((one) => actAgainAndAgain(cast, one));
  const listening = early.map((listener) => clients.listen(listener, over));
  const lateCount = Math.round(world.people.length * LATE_LISTENERS_PER_PERSON);
  const late = Array.from({ length: lateCount }, () => listenLater(random.pick(world.people)));
  const driving = background.run(over);
  await Promise.all(busy);
  isOver = true;
  await Promise.all([...listening, ...late, driving]);
  simulation.faults.calm();
  await background.settle(() => isSettled(world));
  await closeLog(world, people, background);
  await clients.judge();
  for (const listener of journal.listeners) await people.drain(listener);
}

/** Everything that one person does at the same time, once and then until the run is long enough. */
function actAgainAndAgain({ world, people, readers, minSteps }: Cast, one: Account): Promise<void>[] {
  const { random, simulation } = world;
  const actions: (() => Promise<unknown>)[] = [
    () => people.sendMessages(one, random.between(...MESSAGES)),
    () => people.changeSubscriptions(one, random.between(...CHANGES)),
    () => people.scheduleMessages(one, random.between(...SCHEDULED)),
  ];
  if (world.sockets) actions.push(() => people.type(one, random.between(...MESSAGES)));
  // On two devices, so that marks of one person meet.
  if (readers)
    for (const _device of [1, 2]) actions.push(() => readers.markMessages(one, random.between(...MARKS)));
  return actions.map(async (act) => {
    do await act();
    while (simulation.steps < minSteps);
  });
}

export async function isSettled(world: World): Promise<boolean> {
  const outcome = await world.invoke('observer', async ({ table }) => [
    ...(await listJobs(table)),
    ...(await listPendingScheduled(table)),
  ]);
  return outcome.kind === 'done' && outcome.value.length + world.notices.length + world.timers.size === 0;
}

/** A last message comes after every hole, so that the holes are sealed. It may have a job, such as a call of a webhook. */
export async function closeLog(
  world: World,
  people: People,
  background: Background,
  growth?: number,
): Promise<void> {
  const SEALED_AFTER_MS = 2_000;
  const LAST_ATTEMPTS = 20;
  /** How long a worker that died keeps others from notifying devices. */
  const CLAIMED_FOR_MS = 10_000;
  await world.wait(SEALED_AFTER_MS);
  // It may be a place in which they may not send.
  for (let n = 0; n < LAST_ATTEMPTS; n++)
    if ((await people.sendMessages(world.people[0] as Account, 1)) === 'acknowledged') break;
  await background.settle(() => isSettled(world), growth);
  await world.wait(CLAIMED_FOR_MS + SEALED_AFTER_MS);
  await background.sweep();
}

export async function observe(
  world: World,
  people: People,
  journal: Journal,
  firstPosition: number,
): Promise<Remains> {
  const { table } = world;
  const lastPosition = await readCounter(table);
  const channels = await listChannels(table);
  const members = new Map<number, number[]>();
  for (const { channelId } of channels) members.set(channelId, await listSubscriberIds(table, channelId));
  const userIds = (await listUsers(table)).map(({ userId }) => userId);
  const subscriptions = await Promise.all(userIds.map((userId) => listSubscriptions(table, userId)));
  const scheduled = await Promise.all(
    userIds.map(async (userId) => (await listScheduledOf(table, userId)).messages),
  );
  const fresh = new Map<Listener, Record<string, unknown>>();
  for (const listener of journal.listeners.filter(isComplete))
    fresh.set(listener, await people.snapshot(listener));
  return {
    founders: world.founders,
    log: await listEntries(table, firstPosition, lastPosition),
    firstPosition,
    lastPosition,
    subscriptions: subscriptions.flat(),
    members,
    counts: new Map(channels.map(({ channelId, subscriberCount }) => [channelId, subscriberCount])),
    scheduled: scheduled.flat(),
    jobs: (await listJobs(table)).length,
    writtenAtMs: (position) => table.history.beganAtMs(logKeys.entry(position)),
    maxSkewMs: world.simulation.faults.maxSkewMs,
    fresh,
  };
}

const isComplete = ({ wishes, hasLeft }: Listener): boolean =>
  !hasLeft && wishes.eventTypes === undefined && wishes.narrow.length === 0 && !wishes.allPublicChannels;
