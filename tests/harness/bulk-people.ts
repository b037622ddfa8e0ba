import { subscribeAt } from '#shared/domain/subscriptions/subscription.ts';
import { memberWrites, subscriptionWrite } from '#shared/domain/subscriptions/writes.ts';
import type { QueueFilter } from '#shared/events/queue-filter.ts';
import { newQueue } from '#shared/queues/queue.ts';
import type { Services } from '#shared/runtime/services.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { queueKeys } from '#shared/table/keys/queues.ts';
import type { Write } from '#shared/table/table.ts';

const FIRST_USER_ID = 1_000_000;
const WRITES_PER_TRANSACTION = 100;
const COLOR = '#76ce90';

const everything: QueueFilter = {
  applyMarkdown: true,
  clientGravatar: true,
  slimPresence: true,
  eventTypes: null,
  allPublicChannels: false,
  narrow: [],
  capabilities: [],
};

export interface BulkOptions {
  /** How many of the channel's subscribers are there already. */
  after?: number;
  /** Whether each of them has an event queue that waits for everything. */
  hasQueues?: boolean;
}

/** Subscribes users to a channel by writing into the table: 10 000 calls would take too long. */
export async function subscribeInBulk(
  { services }: { services: Services },
  channelId: number,
  size: number,
  { after = 0, hasQueues = false }: BulkOptions = {},
): Promise<void> {
  const userIds = Array.from({ length: size }, (_, index) => FIRST_USER_ID + after + index);
  const idleTimeoutSeconds = 600;
  const queues = hasQueues
    ? userIds.map((userId) => newQueue(services, { userId, filter: everything, idleTimeoutSeconds }, 0))
    : [];
  await writeInBatches(services, [
    ...userIds.map((userId) =>
      subscriptionWrite(subscribeAt(undefined, { userId, channelId }, COLOR, 0), undefined),
    ),
    ...memberWrites(channelId, userIds, 'add'),
    { kind: 'update', key: channelKeys.channel(channelId), add: { subscriberCount: size } },
    ...queues.map((queue): Write => ({ kind: 'put', item: { ...queueKeys.queue(queue.queueId), ...queue } })),
  ]);
}

/** Makes writes true that need not be so all at once. */
export async function writeInBatches({ table, ids }: Services, writes: Write[]): Promise<void> {
  for (let start = 0; start < writes.length; start += WRITES_PER_TRANSACTION)
    await table.transact(writes.slice(start, start + WRITES_PER_TRANSACTION), ids.writeId());
}
