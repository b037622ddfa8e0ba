import { deliverScheduledMessage } from '#functions/workers/deliver-scheduled-message.ts';
import { sweep } from '#functions/workers/sweep.ts';
import { workerOf } from '#infra/local/workers.ts';
import { notifyDevices } from '#shared/push/notify.ts';
import { listPendingScheduled } from '#shared/store/scheduled-messages.ts';
import type { Journal } from './people/journal.ts';
import type { Timer, World } from './world.ts';

const LOOK_MS = 80;
const SWEEP_INTERVAL_MS = 900;
const ATTEMPTS = 3;
const SHARE_LOST = 0.1;
const SHARE_TWICE = 0.2;
/** The scheduler fires within the minute before, as a rule in the last moment. */
const EARLY_MS = 60_000;
const SHARE_EARLY = 0.2;
const MAX_EARLY_MS = 500;
/** As a rule due work happens soon, but the scheduler has a minute for it, and the bus retries for longer. */
const SOON_MS = 1_500;
const LATE_MS = 60_000;
const SHARE_LATE = 0.1;
const SHARE_AT_ONCE = 0.6;
/** The delay of deferred events for sockets. */
const PATIENCE_MS = [200, 1_200] as const;

/**
 * The work of AWS itself: delivers notices and schedules to workers, at least once or not at all, and calls the
 * sweep.
 */
export class Background {
  readonly #world: World;
  readonly #journal: Journal;
  readonly #running = new Set<Promise<void>>();
  /** The newest entry with deferred events for sockets; 0 if none waits. */
  #newest = 0;

  constructor(world: World, journal: Journal) {
    this.#world = world;
    this.#journal = journal;
  }

  /** Until the end, and then until everything that was started has ended. */
  async run(isOver: () => boolean): Promise<void> {
    const sweeps = this.#sweepAgainAndAgain(isOver);
    while (!isOver()) {
      this.#startWorkers();
      await this.#world.wait(LOOK_MS);
    }
    await sweeps;
    await Promise.all(this.#running);
  }

  /** Without faults: until no job is left and no scheduled message is due. Each pause is so much longer than the one before. */
  async settle(isSettled: () => Promise<boolean>, growth = 1): Promise<void> {
    for (let pauseMs = SWEEP_INTERVAL_MS; !(await isSettled()); pauseMs *= growth) {
      this.#startWorkers();
      await this.#sweepWell();
      await this.#world.expire();
      await this.#world.wait(pauseMs);
      await Promise.all(this.#running);
    }
  }

  async sweep(): Promise<void> {
    this.#journal.verdict('The sweep', await this.#world.invoke('sweep', sweep));
  }

  /** Demands that one sweep without faults delivers every message that was due when it began, by each of the clocks. */
  async #sweepWell(): Promise<void> {
    const { simulation } = this.#world;
    const dueMs = simulation.nowMs - simulation.faults.maxSkewMs;
    await this.sweep();
    const late = await listPendingScheduled(this.#world.services().table, Math.floor(dueMs / 1000));
    for (const { scheduledMessageId } of late)
      this.#journal.complaints.push(`The sweep left scheduled message ${scheduledMessageId} behind`);
  }

  async #sweepAgainAndAgain(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.sweep();
      await this.#world.expire();
      await this.#world.wait(SWEEP_INTERVAL_MS);
    }
  }

  #startWorkers(): void {
    const { notices, wakings, pushings, partWorks, timers, simulation, random } = this.#world;
    for (const notice of notices.splice(0))
      this.#hand('job', () =>
        this.#world.invoke(notice.type, (services) => workerOf(notice.type).work(services, notice)),
      );
    for (const position of wakings.splice(0))
      this.#hand('notifier', () =>
        this.#world.invoke('notify devices', (services) => notifyDevices(services, position)),
      );
    for (const position of pushings.splice(0)) {
      this.#hand('pusher', () => this.#world.pushers.push(position));
      this.#pushLater(position);
    }
    for (const work of partWorks.splice(0))
      this.#hand('pusher of a part', () => this.#world.pushers.pushToPart(work));
    const isEarly = random.chance(SHARE_EARLY);
    const dueMs = simulation.nowMs + random.between(0, isEarly ? EARLY_MS : MAX_EARLY_MS);
    for (const timer of [...timers.values()].filter(({ atSeconds }) => atSeconds * 1000 <= dueMs)) {
      timers.delete(timer.scheduledMessageId);
      if (timer.atSeconds * 1000 - simulation.nowMs > MAX_EARLY_MS) simulation.faults.count('delivery early');
      this.#hand('delivery', () => this.#deliver(timer));
    }
  }

  /** Some time after the first entry that no one has waited for, everyone gets everything. */
  #pushLater(position: number): void {
    const isAwaited = this.#newest > 0;
    this.#newest = position;
    if (isAwaited) return;
    const { pushers, random } = this.#world;
    const running = this.#world.wait(random.between(...PATIENCE_MS)).then(() => {
      const upTo = this.#newest;
      this.#newest = 0;
      this.#running.delete(running);
      this.#hand('pusher', () => pushers.push(upTo, true));
    });
    this.#running.add(running);
  }

  #deliver({ userId, scheduledMessageId }: Timer) {
    const delivery = { userId, scheduledMessageId };
    return this.#world.invoke('deliver', (services) => deliverScheduledMessage(services, delivery));
  }

  /** Never, once or twice, each time after a while of its own. */
  #hand(what: string, invoke: () => ReturnType<World['invoke']>): void {
    const { random, simulation } = this.#world;
    const times = random.chance(SHARE_LOST) ? 0 : random.chance(SHARE_TWICE) ? 2 : 1;
    if (times !== 1) simulation.faults.count(`${what} ${times === 0 ? 'never' : 'twice'}`);
    for (let n = 0; n < times; n++) {
      const running = this.#start(what, invoke).finally(() => this.#running.delete(running));
      this.#running.add(running);
    }
  }

  /** Tries again after a failure. */
  async #start(what: string, invoke: () => ReturnType<World['invoke']>): Promise<void> {
    const delayMs = this.#drawDelayMs();
    if (delayMs > SOON_MS) this.#world.simulation.faults.count(`${what} late`);
    await this.#world.wait(delayMs);
    for (let n = 0; n < ATTEMPTS; n++) {
      const verdict = this.#journal.verdict(`A ${what}`, await invoke());
      if (verdict === 'refused') this.#journal.complaints.push(`A ${what} was refused`);
      if (verdict === 'acknowledged') return;
    }
  }

  #drawDelayMs(): number {
    const { random } = this.#world;
    if (random.chance(SHARE_AT_ONCE)) return 0;
    return random.between(0, random.chance(SHARE_LATE) ? LATE_MS : SOON_MS);
  }
}
