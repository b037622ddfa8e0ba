import { BadEventQueueId } from '#shared/domain/errors.ts';
import { heartbeatId } from '#shared/events/event-id.ts';
import type { ShapedEvent } from '#shared/events/shape.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findEntry, readLowWaterMark } from '#shared/store/log/log.ts';
import type { Table } from '#shared/table/table.ts';
import { cursorOf, isWithinEntry } from './cursor.ts';
import { type Queue, saveQueue } from './queue.ts';

/**
 * A heartbeat for a queue without recent events; undefined when none is due.
 * @throws BadEventQueueId when the entry after the cursor has expired, so that no read will find it
 */
export async function beatIfDue(
  services: Services,
  queue: Queue,
  nowMs: number,
): Promise<ShapedEvent | undefined> {
  const isDue = nowMs - queue.lastHeartbeatMs >= services.config.heartbeatIntervalMs;
  return isDue ? beat(services, queue, nowMs) : undefined;
}

/**
 * A heartbeat, unless its id would be an event's. One write extends the queue's life, counts the heartbeat and
 * saves the cursor.
 * @throws BadEventQueueId when the entry after the cursor has expired, so that no read will find it
 */
export async function beat(
  services: Services,
  queue: Queue,
  nowMs: number,
): Promise<ShapedEvent | undefined> {
  if (await isStranded(services.table, queue)) throw new BadEventQueueId(queue.queueId);
  // The heartbeat's id would collide with the entry's next event.
  if (isWithinEntry(queue)) return undefined;
  const id = heartbeatId(queue.scannedPosition, Math.max(queue.ackedId, queue.lastHeartbeatId));
  await saveQueue(services, { ...queue, lastHeartbeatMs: nowMs, lastHeartbeatId: id });
  return { type: 'heartbeat', id };
}

async function isStranded(table: Table, queue: Queue): Promise<boolean> {
  const next = cursorOf(queue) + 1;
  return next <= (await readLowWaterMark(table)) && (await findEntry(table, next)) === undefined;
}
