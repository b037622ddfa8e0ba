import { memberWrites } from '#shared/domain/subscriptions/writes.ts';
import { createAccount } from '#shared/domain/users/create.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';
import { fillLog } from '#tests/harness/backlog.ts';
import { writeInBatches } from '#tests/harness/bulk-people.ts';
import { measureReply, type Row } from './report.ts';
import type { BenchClient, BenchService } from './service.ts';

export const PEOPLE = 1_000;
export const CHANNELS = 200;
const CHANNELS_PER_REQUEST = 50;
const MEMBERS = 100;
const UNREAD = 5_000;
export const FIRST_INVENTED = 500_000;

/** Register of an organization with many people and channels, for a user who is in all of them. */
export async function measureLargeOrganization(service: BenchService): Promise<Row[]> {
  const reader = await service.createUser('Everywhere');
  await createPeople(service);
  const channelIds = await createChannels(service, reader);
  await service.settle();
  const place = { channelId: channelIds[0] as number, channelName: 'room 0' };
  await fillLog(service.services, place, UNREAD, 200);
  const what = `register among ${PEOPLE} users and ${CHANNELS} channels with ${UNREAD} unread`;
  const register = (params: object, description: string) =>
    measureReply(
      service,
      () => reader.call('POST', '/register', { ...params }),
      (kilobytes, calls) => `${description}, ${kilobytes} KB, ${calls} calls`,
    );
  return [
    await register({}, what),
    await register({ include_subscribers: true }, 'the same with all subscribers'),
  ];
}

/** Accounts with names but without passwords, written into the table: accounts with passwords take too long to create. */
export function createPeople(service: BenchService): Promise<void> {
  const writes = Array.from({ length: PEOPLE }, (_, n): Write => {
    const userId = FIRST_INVENTED + n;
    const { keyVersion: _version, ...user } = createAccount({
      userId,
      email: `${userId}@example.com`,
      fullName: `Person number ${n}`,
      nowSeconds: 0,
    });
    return { kind: 'put', item: { ...userKeys.user(userId), ...user } };
  });
  return writeInBatches(service.services, writes);
}

/** Channels that the reader is in, and 100 of the people. */
export async function createChannels(service: BenchService, reader: BenchClient): Promise<number[]> {
  const names = Array.from({ length: CHANNELS }, (_, n) => `room ${n}`);
  const subscriptions = names.map((name) => ({ name, description: 'One of many rooms' }));
  // Later subscribers do not get the bot's note about each new channel.
  await service.owner.call('PATCH', '/realm', { send_channel_events_messages: false });
  for (let start = 0; start < CHANNELS; start += CHANNELS_PER_REQUEST)
    await reader.call('POST', '/users/me/subscriptions', {
      subscriptions: subscriptions.slice(start, start + CHANNELS_PER_REQUEST),
    });
  const { subscriptions: rooms } = await reader.call('GET', '/users/me/subscriptions');
  const channelIds: number[] = rooms.map(({ stream_id }: { stream_id: number }) => stream_id);
  const members = Array.from({ length: MEMBERS }, (_, n) => FIRST_INVENTED + n);
  await writeInBatches(
    service.services,
    channelIds.flatMap((channelId) => memberWrites(channelId, members, 'add')),
  );
  return channelIds;
}
