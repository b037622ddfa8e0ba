import type { ChannelView } from '#shared/domain/messages/access.ts';
import { contentUpdate, withContent } from '#shared/domain/messages/edit-content.ts';
import { KEPT_TEXTS } from '#shared/domain/messages/history.ts';
import { isSameMentions } from '#shared/domain/messages/mentions.ts';
import type { Message, MessageText } from '#shared/domain/messages/message.ts';
import { bare, updateEvent } from '#shared/domain/messages/rewrite.ts';
import type { User } from '#shared/domain/users/user.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { digestChangeWrites } from '#shared/store/digests.ts';
import { loadKnown } from '#shared/store/references.ts';
import { rewritingWrite } from '#shared/store/rewriting.ts';
import type { Key } from '#shared/table/keys.ts';
import { keys, partitions } from '#shared/table/keys.ts';
import type { Table, Write } from '#shared/table/table.ts';
import { commit } from './commit.ts';
import { jobsOfMentions } from './mention-jobs.ts';
import { composeText, type TextPlace, topicOf } from './message-text.ts';
import { rewriteWrite } from './rewrite.ts';

/** A message, and its channel as its author stands to it. */
interface Edited {
  message: Message;
  view: ChannelView | undefined;
}

/** Gives a message another text; the one that it had is kept for its history. @throws StaleState */
export async function editContent(
  services: Services,
  user: User,
  { message, view }: Edited,
  content: string,
): Promise<void> {
  const atSeconds = toSeconds(services.clock.nowMs());
  const [text, superseded] = await Promise.all([
    renderEdited(services, user, { message, view }, content),
    findSuperseded(services.table, message),
  ]);
  const parts = { userId: user.userId, atSeconds, channel: view?.channel };
  const next = withContent(bare(message), text, atSeconds);
  const isCallingOthers = !isSameMentions(message.mentions, text.mentions);
  const topic = topicOf(placeOf({ message, view }));
  const jobs = await jobsOfMentions(services.table, topic, text, message.mentions);
  await commit(services, {
    jobs,
    writes: (position) => [
      rewriteWrite(message, next),
      ...(isCallingOthers
        ? [
            ...digestChangeWrites([{ ...next, messageId: message.messageId }]),
            rewritingWrite(services.clock.nowMs()),
          ]
        : []),
      keptText(message, { position, userId: user.userId, atSeconds }),
      ...superseded.map((key): Write => ({ kind: 'delete', key })),
    ],
    events: [updateEvent([message], parts, contentUpdate(message, text))],
  });
}

const placeOf = ({ message, view }: Edited): TextPlace =>
  message.kind === 'channel' && view
    ? { kind: 'channel', channel: view.channel, topic: message.topic }
    : { kind: 'direct' };

/** Another text for a message, rendered with what its author may know of. */
export async function renderEdited(
  services: Services,
  user: User,
  { message, view }: Edited,
  content: string,
): Promise<MessageText & { messageId: number }> {
  const place = placeOf({ message, view });
  const known = await loadKnown(services.table, user, content);
  const text = await composeText(services, { author: user, place, content, known });
  return { messageId: message.messageId, ...text };
}

/** Keeps the text that a message has until a change at a position. */
export const keptText = (
  { messageId, content, html }: Message,
  { position, userId, atSeconds }: { position: number; userId: number; atSeconds: number },
): Write => ({
  kind: 'put',
  item: { ...keys.earlierText(messageId, position), userId, atSeconds, content, html },
});

/** The oldest kept text, where there is no room for another one. */
export async function findSuperseded(table: Table, { messageId, keptEdits = 0 }: Message): Promise<Key[]> {
  if (keptEdits < KEPT_TEXTS) return [];
  const { items } = await table.page({
    partition: partitions.textsOf(messageId),
    limit: 1,
    consistent: true,
  });
  return items.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
}
