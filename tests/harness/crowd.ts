import { subscribeAt } from '#shared/domain/subscriptions/subscription.ts';
import { memberWrites, subscriptionWrite } from '#shared/domain/subscriptions/writes.ts';
import type { Write } from '#shared/table/table.ts';
import type { TestService } from './service.ts';

const FIRST_USER_ID = 1_000_000;
const WRITES_PER_TRANSACTION = 100;

/** Subscribes so many users to a channel, by telling the table: nobody waits for 10 000 calls. */
export async function subscribeCrowd(
  { services }: TestService,
  channelId: number,
  size: number,
): Promise<void> {
  const userIds = Array.from({ length: size }, (_, index) => FIRST_USER_ID + index);
  const writes: Write[] = [
    ...userIds.map((userId) =>
      subscriptionWrite(subscribeAt(undefined, { userId, channelId }, '#76ce90', 0), undefined),
    ),
    ...memberWrites(channelId, userIds, 'add'),
  ];
  for (let start = 0; start < writes.length; start += WRITES_PER_TRANSACTION)
    await services.table.transact(
      writes.slice(start, start + WRITES_PER_TRANSACTION),
      services.ids.writeId(),
    );
}
