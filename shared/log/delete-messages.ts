import type { Change, Job } from '#shared/domain/change.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { PlacedMessage } from '#shared/domain/messages/move.ts';
import { channelDeletionEvents, directDeletionEvents } from '#shared/domain/messages/retention.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { digestChangeWrites, foldDigestChanges } from '#shared/store/digests.ts';
import { moveRetentionProgress } from '#shared/store/retention.ts';
import { rewritingWrite } from '#shared/store/rewriting.ts';
import { conversationIndex, findNeighbour } from '#shared/store/topic-messages.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { unlessChanged } from '#shared/table/unless-changed.ts';
import { hasParts, tombstoneWrite } from './forget.ts';
import { HEADS_AT_ONCE } from './take-batch.ts';
import { leaveChannel, leaveTopicWrites } from './topic-heads.ts';

type DirectMessage = Extract<Message, { kind: 'direct' }>;

/** The change that deletes messages of one channel, as many as `takeBatch` gives. */
export async function deleteFromChannelChange(
  services: Services,
  channel: Channel,
  messages: PlacedMessage[],
): Promise<Change> {
  await prepare(services, messages);
  const topics = [...Map.groupBy(messages, ({ topic }) => toCanonical(topic)).values()];
  const heads = await mapConcurrently(topics, (group) =>
    leaveTopicWrites(services, { channelId: channel.channelId, topic: group[0]?.topic ?? '' }, group),
  );
  const first = await leaveChannel(services, channel, messages);
  return {
    writes: [...goneWrites(services, messages), ...heads.flat(), ...first.writes],
    events: [...channelDeletionEvents(channel, messages), ...first.events],
    jobs: forgetJobs(messages),
  };
}

/** The change that deletes direct messages, as many as `takeBatch` gives. */
export async function deleteDirectChange(services: Services, messages: DirectMessage[]): Promise<Change> {
  await prepare(services, messages);
  const conversations = [...Map.groupBy(messages, keyOf).values()];
  const heads = await mapConcurrently(conversations, (group) => conversationWrites(services, group));
  return {
    writes: [...goneWrites(services, messages), ...heads.flat()],
    events: directDeletionEvents(messages),
    jobs: forgetJobs(messages),
  };
}

const keyOf = ({ recipients }: DirectMessage): string => conversationKey(recipients.map(({ id }) => id));

/** Whoever lists stars asks from now on which messages are gone. */
async function prepare(services: Services, messages: Message[]): Promise<void> {
  await moveRetentionProgress(services.table, { hasDeleted: true });
  await foldDigestChanges(
    services.table,
    messages.map(({ messageId }) => messageId),
    services.ids.writeId(),
  );
}

const goneWrites = (services: Services, messages: Message[]): Write[] => [
  ...messages.map((message) => tombstoneWrite(services, message)),
  ...digestChangeWrites(
    [],
    messages.map(({ messageId }) => messageId),
  ),
  rewritingWrite(services.clock.nowMs()),
];

/** What lies beside messages goes after them, and the files that they named forget them. */
function forgetJobs(messages: Message[]): Job[] {
  const left = messages.filter(hasParts).map(({ messageId, reactionsIn, submessagesIn, uploads }) => ({
    messageId,
    reactionsIn,
    submessagesIn,
    uploads,
  }));
  if (left.length === 0) return [];
  const payload = { messages: left };
  return [{ type: 'forget-message-parts', payload, steps: [0] }];
}

type HeadWrite = Extract<Write, { kind: 'update' }>;

/** The conversation stays one in which something was written, so that none of its people loses sight of another by it. */
async function conversationWrites(services: Services, messages: DirectMessage[]): Promise<Write[]> {
  const [{ recipients = [] } = {}] = messages;
  const userIds = recipients.map(({ id }) => id);
  const conversation = conversationKey(userIds);
  const gone = new Set(messages.map(({ messageId }) => messageId));
  const { table } = services;
  const heads = await table.findMany(userIds.map((userId) => keys.conversation(userId, conversation)));
  const lagging = heads.filter(({ maxMessageId }) => gone.has(Number(maxMessageId)));
  if (lagging.length === 0) return [];
  const next = await findNeighbour(services, conversationIndex(conversation), gone, { backwards: true });
  const writes = lagging.map(
    ({ pk, sk, maxMessageId }): HeadWrite => ({
      kind: 'update',
      key: { pk: String(pk), sk: String(sk) },
      set: { maxMessageId: next?.messageId ?? 0 },
      condition: { equals: { maxMessageId } },
    }),
  );
  for (const write of writes.slice(HEADS_AT_ONCE)) await unlessChanged(() => table.write(write));
  return writes.slice(0, HEADS_AT_ONCE);
}
