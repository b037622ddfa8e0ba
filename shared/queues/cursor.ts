import { BadEventQueueId, BadRequest } from '#shared/domain/errors.ts';
import { endOfPosition, isEndOfPosition, positionOfEventId } from '#shared/events/event-id.ts';
import { LogExpired } from '#shared/log/read.ts';
import type { TailReader } from '#shared/log/tail.ts';
import { isAssigned } from '#shared/store/log/log.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import type { Table } from '#shared/table/table.ts';
import type { Queue } from './queue.ts';

/** An entry younger than this means that the reader is at the end of the log. */
const TAIL_AGE_MS = 5_000;

/**
 * The queue after the client's acknowledgement of an event id. Ids before the start of the queue mean its
 * start: clients begin with -1 or with the id from register, and nothing is deleted before the first
 * acknowledgement.
 * @throws BadRequest for an id that is too old or belongs to no event of the queue
 */
export async function acknowledge(table: Table, queue: Queue, lastEventId: number): Promise<Queue> {
  const { ackedId, scannedPosition } = queue;
  if (lastEventId < ackedId) {
    if (isEndOfPosition(ackedId)) return queue;
    throw new BadRequest(`An event newer than ${lastEventId} has already been pruned!`);
  }
  const position = positionOfEventId(lastEventId);
  if (position > scannedPosition && !(await isAssigned(table, position)))
    throw new BadRequest(`Event ${lastEventId} was not in this queue`);
  return { ...queue, ackedId: lastEventId };
}

/**
 * The position after which the queue continues. The entry of the last event may have more events after that
 * one.
 */
export function cursorOf({ ackedId, scannedPosition }: Queue): number {
  const position = positionOfEventId(ackedId);
  return Math.max(ackedId >= endOfPosition(position) ? position : position - 1, scannedPosition);
}

/**
 * Whether the client has a part of an entry that no read has found yet, because of an eventually consistent
 * read.
 */
export const isWithinEntry = ({ ackedId, scannedPosition }: Queue): boolean =>
  positionOfEventId(ackedId) > scannedPosition;

/**
 * The log entries after the cursor of a queue, in order; empty when there are none yet.
 * @throws BadEventQueueId when entries after the cursor have expired
 */
export async function readOn(tail: TailReader, queue: Queue): Promise<LogEntry[]> {
  try {
    return await tail.read(cursorOf(queue));
  } catch (failure) {
    if (failure instanceof LogExpired) throw new BadEventQueueId(queue.queueId);
    throw failure;
  }
}

/** Whether the newest of these entries was written just now. */
export const isAtTail = (entries: LogEntry[], nowMs: number): boolean =>
  nowMs - (entries.at(-1)?.atMs ?? 0) < TAIL_AGE_MS;
