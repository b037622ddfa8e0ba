import { channelsOf, hasReceived, isUnread } from '#shared/domain/messages/access.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { Marks } from '#shared/domain/reading/marks.ts';
import { type ChosenSettings, effectiveSettings } from '#shared/domain/settings/user-settings.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import type { MutedUsers } from '#shared/domain/users/muted-users.ts';
import type { User } from '#shared/domain/users/user.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { listSubscriberIds } from '#shared/store/channels/subscriptions.ts';
import { getMutedUsers } from '#shared/store/users/muted-users.ts';
import { listUsersById } from '#shared/store/users/users.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { idOfPartition, type Key } from '#shared/table/keys/key.ts';
import { markBlockOf } from '#shared/table/keys/log.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { toMarkBlock, toReadState } from './read-state.ts';

/**
 * The users who have read a message and share that fact, ascending by id, without its sender and without
 * users who mute or are muted by the viewer. Reads at most 1.5 units per subscriber or participant, and 3 per
 * reader.
 */
export async function listReaders(table: Table, viewer: User, message: Message): Promise<User[]> {
  const receiverIds =
    message.kind === 'direct'
      ? message.recipients.map(({ id }) => id)
      : await listSubscriberIds(table, message.channelId);
  const others = receiverIds.filter((userId) => userId !== message.senderId);
  const users = await listUsersById(table, await listIdsOfReaders(table, message, others));
  const open = await listOpenReaders(
    table,
    viewer,
    users.filter(({ isActive }) => isActive),
  );
  return open.sort((a, b) => a.userId - b.userId);
}

async function listIdsOfReaders(table: Table, message: Message, userIds: number[]): Promise<number[]> {
  const block = markBlockOf(message.messageId);
  const [states, blocks, subscriptions] = await Promise.all([
    readOfEach(table, userIds, userKeys.readState),
    readOfEach(table, userIds, (userId) => userKeys.marks(userId, block)),
    message.kind === 'direct'
      ? []
      : mapConcurrently(
          [...new Set(channelsOf(message))],
          async (channelId) =>
            [
              channelId,
              await readOfEach(table, userIds, (userId) => channelKeys.subscription(userId, channelId)),
            ] as const,
        ),
  ]);
  const byChannel = new Map(subscriptions);
  return userIds.filter((userId) => {
    const marks = new Marks(toReadState(states.get(userId)));
    const marked = blocks.get(userId);
    if (marked) marks.addBlock(toMarkBlock(marked));
    const own = {
      get: (channelId: number) => byChannel.get(channelId)?.get(userId) as Subscription | undefined,
    };
    const reader = { userId };
    return hasReceived(reader, message, own) && !isUnread(reader, message, own, marks);
  });
}

/** Readers who send read receipts, with no muting between them and the viewer. */
async function listOpenReaders(table: Table, viewer: User, readers: User[]): Promise<User[]> {
  const readerIds = readers.map(({ userId }) => userId);
  const [own, settings, muted] = await Promise.all([
    getMutedUsers(table, viewer.userId),
    readOfEach(table, readerIds, userKeys.settings, { eventually: false }),
    readOfEach(table, readerIds, userKeys.mutedUsers, { eventually: false }),
  ]);
  const mutes = (list: MutedUsers['mutedUsers'] | undefined, userId: number): boolean =>
    list?.some((receipt) => receipt.id === userId) ?? false;
  return readers.filter((reader) => {
    const { userId } = reader;
    const chosen = settings.get(userId) as ChosenSettings | undefined;
    if (!effectiveSettings(reader, chosen ?? { values: {}, revision: 0 }).send_read_receipts) return false;
    const theirs = muted.get(userId)?.mutedUsers as MutedUsers['mutedUsers'] | undefined;
    return !mutes(own.mutedUsers, userId) && !mutes(theirs, viewer.userId);
  });
}

async function readOfEach(
  table: Table,
  userIds: number[],
  keyOf: (userId: number) => Key,
  options = { eventually: true },
): Promise<Map<number, Item>> {
  const items = await table.findMany(userIds.map(keyOf), options);
  return new Map(items.map((item) => [idOfPartition(String(item.pk)), item]));
}
