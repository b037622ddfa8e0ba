import { channelAudience, ofArchived } from '#shared/domain/channels/audience.ts';
import { type Channel, unmoved } from '#shared/domain/channels/channel.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel } from '#shared/store/channels.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table, Write } from '#shared/table/table.ts';
import { unlessChanged } from '#shared/table/unless-changed.ts';
import { commit, commitSilently, StaleState } from './commit.ts';

type Update = Extract<Write, { kind: 'update' }>;

/**
 * Moves what is derived from a message: the head of its topic and the first message of its channel, or the heads of
 * the conversation for each participant. Idempotent.
 */
export const recordHeads = (table: Table, message: Message): Promise<void> =>
  writeHeads(table, headWrites(message));

/** The same for many messages, ascending: only what lags behind is written, for refused writes cost as well. */
export async function repairHeads(table: Table, messages: Message[]): Promise<void> {
  const newest = new Map(
    messages.flatMap(headWrites).map((write) => [`${write.key.pk} ${write.key.sk}`, write]),
  );
  const heads = await table.findMany(
    [...newest.values()].map(({ key }) => key),
    { eventually: true },
  );
  for (const { pk, sk, maxMessageId } of heads) {
    const write = newest.get(`${pk} ${sk}`);
    if (Number(maxMessageId) >= Number(write?.set?.maxMessageId)) newest.delete(`${pk} ${sk}`);
  }
  await writeHeads(table, [...newest.values()]);
}

async function writeHeads(table: Table, writes: Update[]): Promise<void> {
  await mapConcurrently(writes, (write) => unlessChanged(() => table.write(write)));
}

/** The writes that make a message the newest of its topic, or of its conversation for each participant. */
export function headWrites(message: Message): Update[] {
  const { messageId } = message;
  const isNewest = { belowOrAbsent: { maxMessageId: messageId } };
  if (message.kind === 'direct') {
    const userIds = message.recipients.map(({ id }) => id);
    return userIds.map((userId) => ({
      kind: 'update',
      key: keys.conversation(userId, conversationKey(userIds)),
      set: { maxMessageId: messageId, userIds },
      condition: isNewest,
    }));
  }
  const { channelId, topic } = message;
  return [
    {
      kind: 'update',
      key: keys.topic(channelId, toCanonical(topic)),
      set: { topic, maxMessageId: messageId },
      condition: isNewest,
    },
  ];
}

const DAY_SECONDS = 24 * 3600;

/** What a channel itself remembers of its messages; written at its first message and then at most once a day. */
export async function recordActivity(services: Services, channel: Channel, message: Message): Promise<void> {
  const { messageId, atSeconds } = message;
  const isFirst = channel.firstMessageId === null || messageId < channel.firstMessageId;
  const isNewDay = atSeconds - channel.lastActiveAtSeconds > DAY_SECONDS;
  if (!isFirst && !isNewDay) return;
  const wakes = isNewDay && channel.isRecentlyActive === false;
  const update: Write = {
    kind: 'update',
    key: keys.channel(channel.channelId),
    set: {
      ...(isFirst && { firstMessageId: messageId }),
      ...(isNewDay && { lastActiveAtSeconds: atSeconds, isRecentlyActive: true }),
    },
    condition: { exists: true, equals: { firstMessageId: channel.firstMessageId }, ...unmoved(channel) },
  };
  const events = [
    ...(isFirst ? [updateEvent(channel, 'first_message_id', messageId)] : []),
    ...(wakes ? [updateEvent(channel, 'is_recently_active', true)] : []),
  ];
  try {
    if (events.length > 0) await commit(services, { writes: [update], events });
    else await commitSilently(services, [update]);
  } catch (failure) {
    if (!(failure instanceof StaleState)) throw failure;
    const current = await findChannel(services.table, channel.channelId);
    if (current) await recordActivity(services, current, message);
  }
}

/** Those who did not get the message itself learn what it made of the channel. */
const updateEvent = (channel: Channel, property: string, value: unknown): LogEvent => ({
  audience: channelAudience(channel),
  ...ofArchived(channel),
  payload: {
    type: 'stream',
    op: 'update',
    stream_id: channel.channelId,
    name: channel.name,
    property,
    value,
  },
});
