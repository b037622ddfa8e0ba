import type { Account } from '#shared/domain/users/user.ts';
import type { ShapedEvent } from '#shared/events/shape.ts';
import { type TailReader, tailOf } from '#shared/log/tail.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import { acknowledge, isAtTail, readOn } from './cursor.ts';
import { readDeferred } from './deferred-events.ts';
import { beat, beatIfDue } from './heartbeat.ts';
import { Hold } from './hold.ts';
import type { Interruption } from './newest-poll.ts';
import { Observer } from './observer.ts';
import { type Queue, saveIfDue } from './queue.ts';
import { takePage } from './reply-page.ts';
import { noteSeen } from './seen.ts';

export interface PollOptions {
  lastEventId: number;
  /** Waits for events until the hold ends. */
  blocks: boolean;
}

/**
 * The events of a queue after the client's last one; waits if there are none. While the queue exists, every
 * log event that the owner may see and asked for is returned once, in order.
 * @throws BadEventQueueId, BadRequest for an event id from which the queue cannot continue, RateLimitHit when
 * too many polls of the account are waiting, InvalidApiKey or Unauthorized when the key or the session ends
 */
export async function pollQueue(
  services: Services,
  stored: Queue,
  caller: Account,
  { lastEventId, blocks }: PollOptions,
): Promise<ShapedEvent[]> {
  const start = await acknowledge(services.table, stored, lastEventId);
  const tail = tailOf(services).open({ isPatient: blocks });
  const hold = new Hold(services, start, caller, tail);
  try {
    const page = await readDeferred(services, start, caller);
    if (page.events.length === 0)
      return await followLog(services, {
        queue: page.queue,
        stored,
        blocks,
        hold,
        tail,
        observer: new Observer(services, start, caller),
      });
    await saveIfDue(services, page.queue, stored, { isLast: true });
    return page.events;
  } finally {
    hold.end();
  }
}

/** A poll that follows the log from the cursor of its queue. */
interface Following {
  queue: Queue;
  /** The queue as it is stored. */
  stored: Queue;
  blocks: boolean;
  hold: Hold;
  tail: TailReader;
  observer: Observer;
}

/** The next events for a queue in the log, or a heartbeat; none at the end of the hold, or for a superseded poll. */
async function followLog(
  services: Services,
  { queue: start, stored, blocks, hold, tail, observer }: Following,
): Promise<ShapedEvent[]> {
  let queue = start;
  let saved = stored;
  let hasWaited = false;
  for (;;) {
    const entries = await readOn(tail, queue);
    const page = await takePage(queue, observer.follow(entries));
    queue = page.queue;
    const nowMs = services.clock.nowMs();
    const isEmpty = page.events.length === 0;
    // Events found by the first look may have waited for the client.
    if (!isEmpty && hasWaited) noteDelay(services, entries, nowMs);
    const heartbeat = isEmpty && (await beatIfDue(services, queue, nowMs));
    if (heartbeat) return [heartbeat];
    const hasMore = mayHaveMore(entries, { blocks, nowMs });
    const isLast = !isEmpty || !(hasMore || blocks) || hold.isOver(nowMs);
    saved = await saveIfDue(services, queue, saved, { isLast });
    if (isLast) return page.events;
    if (hasMore) continue;
    const interruption = await hold.wait(queue, nowMs);
    if (interruption) return await answersTo[interruption](services, queue);
    hasWaited = true;
  }
}

/** Whether more may follow the entries of a read; after new entries there is hardly anything yet, and waiting finds it. */
const mayHaveMore = (entries: LogEntry[], { blocks, nowMs }: { blocks: boolean; nowMs: number }): boolean =>
  entries.length > 0 && !(blocks && isAtTail(entries, nowMs));

function noteDelay(services: Services, entries: LogEntry[], nowMs: number): void {
  const newest = entries.at(-1);
  if (newest) noteSeen(services, nowMs - newest.atMs);
}

/** A terminating process answers its clients with a heartbeat. */
async function beatLast(services: Services, queue: Queue): Promise<ShapedEvent[]> {
  const heartbeat = await beat(services, queue, services.clock.nowMs());
  return heartbeat ? [heartbeat] : [];
}

/** The answers of polls that end before their time. */
const answersTo: Record<Interruption, (services: Services, queue: Queue) => Promise<ShapedEvent[]>> = {
  superseded: async () => [],
  ending: beatLast,
};
