import { deleteQueue } from '#functions/events/delete-queue.ts';
import { getEvents } from '#functions/events/get-events.ts';
import { queueKeys } from '#shared/table/keys/queues.ts';
import type { Item } from '#shared/table/table.ts';
import type { Outcome } from '#tests/simulation/process.ts';
import type { World } from '#tests/simulation/world.ts';
import type { Journal, Listener } from './journal.ts';
import { valuesOf } from './requests.ts';

/** How many polls begin around the moment at which a queue ends. */
const POLLS = 8;
const AROUND_MS = 8;
const SLEEPERS = 6;
/** Long enough that every poll has something to write down. */
const SILENCE_MS = 2_000;

/**
 * The fate of queues when every user is done: some clients sleep too long, others delete their queue, each while many
 * of their polls are under way. A queue that has ended stays so, whatever an earlier poll does to it. All clocks are
 * right by now, or the end of a queue would be undefined.
 */
export class Sleepers {
  readonly #world: World;
  readonly #journal: Journal;

  constructor(world: World, journal: Journal) {
    this.#world = world;
    this.#journal = journal;
  }

  async end(): Promise<void> {
    this.#world.simulation.faults.maxSkewMs = 0;
    await this.#world.wait(SILENCE_MS);
    const [first, ...others] = this.#journal.listeners.filter(({ hasLeft }) => !hasLeft);
    if (first) await this.#deleteWhilePolling(first);
    await Promise.all(others.slice(0, SLEEPERS).map((listener) => this.#sleepTooLong(listener)));
  }

  async #deleteWhilePolling(listener: Listener): Promise<void> {
    const deleting = this.#deleteSoon(listener);
    await this.#pollAround(listener);
    const isDeleted = (await deleting).kind === 'done';
    if (isDeleted && (await this.#find(listener))) this.#complain(listener, 'was deleted and is there again');
  }

  async #deleteSoon({ account, queueId }: Listener): Promise<Outcome<unknown>> {
    await this.#world.wait(AROUND_MS / 2);
    return this.#world.request(account, deleteQueue, valuesOf(deleteQueue, { queue_id: queueId }));
  }

  /** One poll near the end: it finds the queue in time or not, and writes in time or not. */
  async #sleepTooLong(listener: Listener): Promise<void> {
    const { random, simulation } = this.#world;
    const endMs = Number((await this.#find(listener))?.expiresAtSeconds) * 1000;
    const startMs = endMs - random.between(0, AROUND_MS);
    await this.#world.wait(Math.max(0, startMs - simulation.nowMs));
    await this.#poll(listener);
    const touchedAtMs = Number((await this.#find(listener))?.touchedAtMs);
    if (touchedAtMs >= endMs) this.#complain(listener, 'had ended and lives again');
  }

  /** The item of a queue, read by a process that takes turns like all others. */
  async #find({ queueId }: Listener): Promise<Item | undefined> {
    const outcome = await this.#world.invoke('observer', ({ table }) => table.find(queueKeys.queue(queueId)));
    if (outcome.kind !== 'done') throw new Error('Nothing can go wrong any more, and it did');
    return outcome.value;
  }

  async #pollAround(listener: Listener): Promise<void> {
    const polls = Array.from({ length: POLLS }, async (_, n) => {
      await this.#world.wait((n * AROUND_MS) / POLLS);
      return this.#poll(listener);
    });
    await Promise.all(polls);
  }

  /** A client that polls a queue that may have ended takes any answer. */
  async #poll({ account, queueId, lastEventId }: Listener): Promise<void> {
    const params = valuesOf(getEvents, { queue_id: queueId, last_event_id: lastEventId, dont_block: true });
    await this.#world.request(account, getEvents, params);
  }

  #complain({ queueId, account }: Listener, what: string): void {
    this.#journal.complaints.push(`Queue ${queueId.slice(0, 8)} of ${account.fullName} ${what}`);
  }
}
