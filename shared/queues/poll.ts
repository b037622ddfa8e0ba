import type { Account } from '#shared/domain/users/user.ts';
import type { ShapedEvent } from '#shared/events/shape.ts';
import { tailOf } from '#shared/log/tail.ts';
import type { Services } from '#shared/runtime/services.ts';
import { acknowledge, isAtTail, readOn } from './cursor.ts';
import { readDeferred } from './deferred-events.ts';
import { beat, beatIfDue } from './heartbeat.ts';
import { Hold } from './hold.ts';
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
    let page = await readDeferred(services, start, caller);
    let saved = stored;
    let hasWaited = false;
    if (page.events.length > 0) {
      await saveIfDue(services, page.queue, saved, { isLast: true });
      return page.events;
    }
    const observer = new Observer(services, start, caller);
    for (;;) {
      const entries = await readOn(tail, page.queue);
      page = await takePage(page.queue, observer.follow(entries));
      const nowMs = services.clock.nowMs();
      const isEmpty = page.events.length === 0;
      const newest = entries.at(-1);
      // Events found by the first look may have waited for the client.
      if (!isEmpty && hasWaited && newest) noteSeen(services, nowMs - newest.atMs);
      const heartbeat = isEmpty && (await beatIfDue(services, page.queue, nowMs));
      if (heartbeat) return [heartbeat];
      // More may follow entries for others; after new entries there is hardly anything yet.
      const goesOn = entries.length > 0 && !(blocks && isAtTail(entries, nowMs));
      const isLast = !isEmpty || !(goesOn || blocks) || hold.isOver(nowMs);
      saved = await saveIfDue(services, page.queue, saved, { isLast });
      if (isLast) return page.events;
      if (goesOn) continue;
      const interruption = await hold.wait(page.queue, nowMs);
      if (interruption === 'superseded') return [];
      if (interruption === 'ending') return await beatLast(services, page.queue);
      hasWaited = true;
    }
  } finally {
    hold.end();
  }
}

/** A terminating process answers its clients with a heartbeat. */
async function beatLast(services: Services, queue: Queue): Promise<ShapedEvent[]> {
  const heartbeat = await beat(services, queue, services.clock.nowMs());
  return heartbeat ? [heartbeat] : [];
}
