import { BadEventQueueId } from '#shared/domain/errors.ts';
import { heartbeatId, positionOfEventId } from '#shared/events/event-id.ts';
import type { ShapedEvent } from '#shared/events/shape.ts';
import type { Services } from '#shared/runtime/services.ts';
import { waitAsNewest } from './newest-poll.ts';
import type { PollLease } from './poll-lease.ts';
import { type Queue, touchQueue } from './queue.ts';

/** Walks the log for one queue. */
export interface Looker {
  /** Every entry up to here was looked at. */
  position: number;
  look(): Promise<{ events: ShapedEvent[]; entries: number }>;
  /** Whether what comes next was deleted, so that no look will ever find it. */
  isStranded(): Promise<boolean>;
  /** Whether what was read last had only just been written. */
  isAtTail(nowMs: number): boolean;
}

/** So many positions that held nothing for a queue are remembered rather than read again: one write costs no more. */
const POSITIONS_WORTH_A_WRITE = 100;

/** One poll of a queue: looks, and waits between looks, until there is something to answer. */
export class Poll {
  readonly #services: Services;
  readonly #queue: Queue;
  readonly #reader: Looker;
  readonly #takeLease: (holdMs: number) => Promise<PollLease>;
  readonly #startMs: number;
  #savedPosition: number;
  #turn: ReturnType<typeof waitAsNewest> | undefined;
  #lease: PollLease | undefined;

  constructor(
    services: Services,
    queue: Queue,
    reader: Looker,
    takeLease: (holdMs: number) => Promise<PollLease>,
  ) {
    this.#services = services;
    this.#queue = queue;
    this.#reader = reader;
    this.#takeLease = takeLease;
    this.#startMs = services.clock.nowMs();
    this.#savedPosition = queue.scannedPosition;
  }

  async run(blocks: boolean): Promise<ShapedEvent[]> {
    const { clock, config } = this.#services;
    const queue = this.#queue;
    for (;;) {
      const { events, entries } = await this.#reader.look();
      const nowMs = clock.nowMs();
      const isBeatDue = nowMs - queue.lastHeartbeatMs >= config.heartbeatIntervalMs;
      if (events.length === 0) queue.scannedPosition = this.#reader.position;
      if (events.length === 0 && isBeatDue) {
        if (await this.#reader.isStranded()) throw new BadEventQueueId(queue.queueId);
        if (!isWithinEntry(queue)) return [await beat(this.#services, queue, nowMs)];
      }
      // Behind entries that were for others there may be more; behind new ones there is hardly anything yet.
      const goesOn = entries > 0 && !(blocks && this.#reader.isAtTail(nowMs));
      const isOver = events.length > 0 || !(goesOn || blocks) || nowMs - this.#startMs >= config.pollHoldMs;
      await this.#touch(isOver);
      if (isOver) return events;
      if (!goesOn && !(await this.#wait(nowMs))) return [];
    }
  }

  end(): void {
    this.#turn?.end();
  }

  /** At its end, a poll that came far writes down how far, or the next one would read all of it again. */
  async #touch(isOver: boolean): Promise<void> {
    const isFar = this.#queue.scannedPosition - this.#savedPosition >= POSITIONS_WORTH_A_WRITE;
    if (await touchQueue(this.#services, this.#queue, isOver && isFar))
      this.#savedPosition = this.#queue.scannedPosition;
  }

  /** Until the next look. False when a newer poll of the queue waits instead, in this process or another. */
  async #wait(nowMs: number): Promise<boolean> {
    const { clock, config } = this.#services;
    const restMs = this.#startMs + config.pollHoldMs - nowMs;
    if (this.#lease && (await this.#lease.isSuperseded())) return false;
    this.#lease ??= await this.#takeLease(restMs);
    this.#turn ??= waitAsNewest(this.#services, this.#queue.queueId);
    const { superseded } = this.#turn;
    const intervalMs = lookIntervalMs(config.lookSchedule, nowMs - this.#queue.activeMs);
    await clock.sleep(Math.min(intervalMs, restMs), superseded);
    return !superseded.aborted;
  }
}

/**
 * Whether the client has a part of an entry whose rest was not found yet, because the read was of an older state. The id
 * of a heartbeat would be that of the next event of the entry.
 */
const isWithinEntry = ({ ackedId, scannedPosition }: Queue): boolean =>
  positionOfEventId(ackedId) > scannedPosition;

/** One write keeps the queue alive, counts the heartbeat and remembers how far the queue was looked through. */
async function beat(services: Services, queue: Queue, nowMs: number): Promise<ShapedEvent> {
  const id = heartbeatId(queue.scannedPosition, Math.max(queue.ackedId, queue.lastHeartbeatId));
  queue.lastHeartbeatMs = nowMs;
  queue.lastHeartbeatId = id;
  await touchQueue(services, queue, true);
  return { type: 'heartbeat', id };
}

/** How long to wait before the next look, by the time since its owner last got a message. */
function lookIntervalMs(schedule: Services['config']['lookSchedule'], idleMs: number): number {
  // A writer's clock may be ahead.
  const ageMs = Math.max(0, idleMs);
  return schedule.findLast(({ fromAgeMs }) => ageMs >= fromAgeMs)?.everyMs ?? 1_000;
}
