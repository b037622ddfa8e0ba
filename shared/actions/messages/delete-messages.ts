import type { Change } from '#shared/domain/change.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { type Job, ONE_STEP } from '#shared/domain/jobs.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { PlacedMessage } from '#shared/domain/messages/moving/move.ts';
import { channelDeletionEvents, directDeletionEvents } from '#shared/domain/messages/retention.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { leaveChannel, leaveTopicWrites } from '#shared/log/topic-summaries.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { blockSummaryChangeWrites, foldBlockSummaryChanges } from '#shared/store/log/block-summaries.ts';
import { rewritingWrite } from '#shared/store/log/rewriting.ts';
import { conversationIndex, findNeighbour } from '#shared/store/topics/topic-messages.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { unlessChanged, type Write } from '#shared/table/table.ts';
import { hasParts, tombstoneWrite } from './forget.ts';
import { SUMMARIES_AT_ONCE } from './take-batch.ts';

type DirectMessage = Extract<Message, { kind: 'direct' }>;

/** The change that deletes messages of one channel, as many as `takeBatch` returns. */
export async function deleteFromChannelChange(
  services: Services,
  channel: Channel,
  messages: PlacedMessage[],
): Promise<Change> {
  await prepare(services, messages);
  const topics = [...Map.groupBy(messages, ({ topic }) => toCanonical(topic)).values()];
  const summaries = await mapConcurrently(topics, (group) =>
    leaveTopicWrites(services, { channelId: channel.channelId, topic: group[0]?.topic ?? '' }, group),
  );
  const first = await leaveChannel(services, channel, messages);
  return {
    writes: [...goneWrites(services, messages), ...summaries.flat(), ...first.writes],
    events: [...channelDeletionEvents(channel, messages), ...first.events],
    jobs: forgetJobs(messages),
  };
}

/** The change that deletes direct messages, as many as `takeBatch` returns. */
export async function deleteDirectChange(services: Services, messages: DirectMessage[]): Promise<Change> {
  await prepare(services, messages);
  const conversations = [...Map.groupBy(messages, keyOf).values()];
  const summaries = await mapConcurrently(conversations, (group) => conversationWrites(services, group));
  return {
    writes: [...goneWrites(services, messages), ...summaries.flat()],
    events: directDeletionEvents(messages),
    jobs: forgetJobs(messages),
  };
}

const keyOf = ({ recipients }: DirectMessage): string => conversationKey(recipients.map(({ id }) => id));

const prepare = (services: Services, messages: Message[]): Promise<void> =>
  foldBlockSummaryChanges(
    services.table,
    messages.map(({ messageId }) => messageId),
    services.ids.writeId(),
  );

const goneWrites = (services: Services, messages: Message[]): Write[] => [
  ...messages.map((message) => tombstoneWrite(services, message)),
  ...blockSummaryChangeWrites(
    [],
    messages.map(({ messageId }) => messageId),
  ),
  rewritingWrite(services.clock.nowMs()),
];

/** Jobs that delete the data attached to the messages and remove them from their files. */
function forgetJobs(messages: Message[]): Job[] {
  const left = messages.filter(hasParts).map(({ messageId, reactionsIn, submessagesIn, uploads }) => ({
    messageId,
    reactionsIn,
    submessagesIn,
    uploads,
  }));
  if (left.length === 0) return [];
  const payload = { messages: left };
  return [{ type: 'forget-message-parts', payload, steps: ONE_STEP }];
}

type SummaryWrite = Extract<Write, { kind: 'update' }>;

/**
 * The conversation keeps its history for visibility, so that its participants stay visible to each other. Summaries
 * remember the newest message that left, so that a late summary of it is refused.
 */
async function conversationWrites(services: Services, messages: DirectMessage[]): Promise<Write[]> {
  const [{ recipients = [] } = {}] = messages;
  const userIds = recipients.map(({ id }) => id);
  const conversation = conversationKey(userIds);
  const gone = new Set(messages.map(({ messageId }) => messageId));
  const newestGone = Math.max(...gone);
  const { table } = services;
  const keys = userIds.map((userId) => userKeys.conversation(userId, conversation));
  const summaries = new Map((await table.findMany(keys)).map((item) => [item.pk, item]));
  const lagging = keys.filter(({ pk }) => Number(summaries.get(pk)?.maxMessageId ?? 0) <= newestGone);
  if (lagging.length === 0) return [];
  const next = await findNeighbour(services, conversationIndex(conversation), gone, { backwards: true });
  const writes = lagging.map((key): SummaryWrite => {
    const summary = summaries.get(key.pk);
    const leftMessageId = Math.max(newestGone, Number(summary?.leftMessageId ?? 0));
    return {
      kind: 'update',
      key,
      set: { userIds, maxMessageId: next?.messageId ?? 0, leftMessageId },
      condition: summary ? { equals: { maxMessageId: summary.maxMessageId } } : { exists: false },
    };
  });
  for (const write of writes.slice(SUMMARIES_AT_ONCE)) await unlessChanged(() => table.write(write));
  return writes.slice(0, SUMMARIES_AT_ONCE);
}
