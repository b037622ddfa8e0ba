import type { Change } from '#shared/domain/change.ts';
import { chunksOf } from '#shared/domain/chunks.ts';
import { UNKNOWN_SENDER } from '#shared/domain/messages/block-summary.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { isToGo, rangeOf, type SentDeletion } from '#shared/domain/users/clean-up.ts';
import { commit } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelsById } from '#shared/store/channels/channels.ts';
import { listFacts } from '#shared/store/messages/message-facts.ts';
import { listMessagesById } from '#shared/store/messages/messages.ts';
import { deleteDirectChange, deleteFromChannelChange } from './delete-messages.ts';
import { takeBatch } from './take-batch.ts';

/** The maximum number of messages in memory. */
const MESSAGES_AT_ONCE = 200;

/**
 * Deletes users' messages in one part of the log, newest first, as many as fit into each transaction. After
 * an interruption the next run continues. Block summaries lead to the messages, so that other users' messages cost
 * about ten bytes each.
 * @throws Conflict
 */
export async function deleteSent(
  services: Services,
  deletion: SentDeletion,
  step: number,
  position: number,
): Promise<void> {
  const { table } = services;
  const { after, upTo } = rangeOf(deletion, step, position);
  const facts = await listFacts(table, after, upTo, { consistent: true });
  const ids = facts
    .filter(({ senderId }) => senderId === UNKNOWN_SENDER || deletion.userIds.includes(senderId))
    .map(({ messageId }) => messageId)
    .reverse();
  for (const some of chunksOf(ids, MESSAGES_AT_ONCE)) {
    const sent = await listMessagesById(table, some);
    const channelIds = sent.flatMap((message) => (message.kind === 'channel' ? [message.channelId] : []));
    const channels = new Map(
      (await listChannelsById(table, [...new Set(channelIds)])).map((channel) => [
        channel.channelId,
        channel,
      ]),
    );
    const leaving = sent.filter((message) => isToGo(message, deletion, channels));
    for (const place of Map.groupBy(leaving, placeOf).values()) await deleteAll(services, place);
  }
}

/** All direct messages are one place: a transaction can span many conversations, but only one channel. */
const placeOf = (message: Message): number => (message.kind === 'channel' ? message.channelId : 0);

async function deleteAll(services: Services, messages: Message[]): Promise<void> {
  for (let left = messages; left.length > 0; ) {
    const batch = takeBatch(left);
    left = left.slice(batch.length);
    await commit(services, await deletionChange(services, batch));
  }
}

async function deletionChange(services: Services, batch: Message[]): Promise<Change> {
  const inChannel = batch.filter((message) => message.kind === 'channel');
  const direct = batch.filter((message) => message.kind === 'direct');
  const [channel] = await listChannelsById(
    services.table,
    inChannel.slice(0, 1).map(({ channelId }) => channelId),
  );
  return channel
    ? deleteFromChannelChange(services, channel, inChannel)
    : deleteDirectChange(services, direct);
}
