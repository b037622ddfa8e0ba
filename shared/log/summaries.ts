import { channelAudience, ofArchived } from '#shared/domain/channels/audience.ts';
import { type Channel, unmoved } from '#shared/domain/channels/channel.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel } from '#shared/store/channels/channels.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table, Write } from '#shared/table/table.ts';
import { unlessChanged } from '#shared/table/unless-changed.ts';
import { Conflict, commit, commitSilently } from './commit.ts';

type Update = Extract<Write, { kind: 'update' }>;

/**
 * Updates the summaries derived from a message: the topic's and the channel's first message, or the
 * conversation's for each participant. Idempotent.
 */
export const recordSummaries = (table: Table, message: Message): Promise<void> =>
  writeSummaries(table, summaryWrites(message));

/**
 * The same for many messages, ascending. Writes only outdated summaries, because refused writes cost as well.
 */
export async function repairSummaries(table: Table, messages: Message[]): Promise<void> {
  const newest = new Map(
    messages.flatMap(summaryWrites).map((write) => [`${write.key.pk} ${write.key.sk}`, write]),
  );
  const summaries = await table.findMany(
    [...newest.values()].map(({ key }) => key),
    { eventually: true },
  );
  for (const { pk, sk, maxMessageId } of summaries) {
    const write = newest.get(`${pk} ${sk}`);
    if (Number(maxMessageId) >= Number(write?.set?.maxMessageId)) newest.delete(`${pk} ${sk}`);
  }
  await writeSummaries(table, [...newest.values()]);
}

async function writeSummaries(table: Table, writes: Update[]): Promise<void> {
  await mapConcurrently(writes, (write) => unlessChanged(() => table.write(write)));
}

/** The writes that make a message the newest of its topic, or of its conversation for each participant. */
export function summaryWrites(message: Message): Update[] {
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

/** Updates the channel's data about its messages, at its first message and then at most once a day. */
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
    if (!(failure instanceof Conflict)) throw failure;
    const current = await findChannel(services.table, channel.channelId);
    if (current) await recordActivity(services, current, message);
  }
}

/** For users who do not get the message itself. */
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
