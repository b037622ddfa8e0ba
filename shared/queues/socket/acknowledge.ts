import { BadRequest } from '#shared/domain/errors.ts';
import type { Services } from '#shared/runtime/services.ts';
import { isAssigned } from '#shared/store/log/log.ts';
import { acknowledge } from '../cursor.ts';
import { saveQueue } from '../queue.ts';
import type { SocketQueue } from './right.ts';

/** The position of a client in its queue. */
export interface Progress {
  queue: SocketQueue;
  lastEventId: number;
  /** The position up to which the socket delivered everything. */
  position?: number | undefined;
}

/**
 * Moves the stored cursor of a queue, so that a later poll or socket need not read so much.
 * @throws BadEventQueueId, BadRequest
 */
export async function acknowledgeEvents(services: Services, progress: Progress): Promise<void> {
  await saveQueue(services, await withProgress(services, progress));
}

/** The queue after its client's progress. @throws BadRequest for a position that the queue has not delivered */
export async function withProgress(
  { table }: Services,
  { queue, lastEventId, position = 0 }: Progress,
): Promise<SocketQueue> {
  const { ackedId, scannedPosition } = await acknowledge(table, queue, lastEventId);
  if (position > scannedPosition && !(await isAssigned(table, position)))
    throw new BadRequest(`Position ${position} was not in this queue`);
  return { ...queue, ackedId, scannedPosition: Math.max(scannedPosition, position) };
}
