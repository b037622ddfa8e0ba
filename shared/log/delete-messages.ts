import type { Change, Job } from '#shared/domain/change.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import type { PlacedMessage } from '#shared/domain/messages/move.ts';
import { channelDeletionEvents, directDeletionEvents } from '#shared/domain/messages/retention.ts';
import type { Services } from '#shared/runtime/services.ts';
import { digestChangeWrites, foldDigestChanges } from '#shared/store/digests.ts';
import { moveRetentionProgress } from '#shared/store/retention.ts';
import { rewritingWrite } from '#shared/store/rewriting.ts';
import { conversationIndex, findNeighbour } from '#shared/store/topic-messages.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { unlessChanged } from '#shared/table/unless-changed.ts';
import { hasParts, tombstoneWrite } from './forget.ts';
import { leaveChannel, leaveTopicWrites } from './topic-heads.ts';

/** The change that deletes messages of one topic, as many as `takeBatch` gives. */
export async function deleteFromTopicChange(
  services: Services,
  channel: Channel,
  messages: PlacedMessage[],
): Promise<Change> {
  await prepare(services, messages);
  const [place] = messages;
  const heads = place ? await leaveTopicWrites(services, place, messages) : [];
  const first = await leaveChannel(services, channel, messages);
  return {
    writes: [...goneWrites(services, messages), ...heads, ...first.writes],
    events: [...channelDeletionEvents(channel, messages), ...first.events],
    jobs: forgetJobs(messages),
  };
}

/** The change that deletes one direct message. */
export async function deleteDirectChange(
  services: Services,
  message: Extract<Message, { kind: 'direct' }>,
): Promise<Change> {
  await prepare(services, [message]);
  return {
    writes: [...goneWrites(services, [message]), ...(await conversationWrites(services, message))],
    events: directDeletionEvents([message]),
    jobs: forgetJobs([message]),
  };
}

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

/** Those of conversations of more people are written one by one, before the message goes. */
const HEADS_AT_ONCE = 60;

/** The conversation stays one in which something was written, so that nobody loses sight of anybody by it. */
async function conversationWrites(
  services: Services,
  message: Extract<Message, { kind: 'direct' }>,
): Promise<Write[]> {
  const { table } = services;
  const { messageId } = message;
  const userIds = message.recipients.map(({ id }) => id);
  const conversation = conversationKey(userIds);
  const heads = await table.findMany(userIds.map((userId) => keys.conversation(userId, conversation)));
  const lagging = heads.filter((head) => head.maxMessageId === messageId);
  if (lagging.length === 0) return [];
  const next = await findNeighbour(services, conversationIndex(conversation), new Set([messageId]), {
    backwards: true,
  });
  const writes = lagging.map(
    ({ pk, sk }): HeadWrite => ({
      kind: 'update',
      key: { pk: String(pk), sk: String(sk) },
      set: { maxMessageId: next?.messageId ?? 0 },
      condition: { equals: { maxMessageId: messageId } },
    }),
  );
  for (const write of writes.slice(HEADS_AT_ONCE)) await unlessChanged(() => table.write(write));
  return writes.slice(0, HEADS_AT_ONCE);
}
