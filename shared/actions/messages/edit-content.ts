import { writesAt } from '#shared/domain/change.ts';
import { contentUpdate, withContent } from '#shared/domain/messages/editing/edit-content.ts';
import type { EditedText } from '#shared/domain/messages/editing/edit-request.ts';
import { KEPT_TEXTS } from '#shared/domain/messages/editing/history.ts';
import { bare, updateEvent } from '#shared/domain/messages/editing/rewrite.ts';
import { isSameMentions } from '#shared/domain/messages/mentions.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { placeOf, topicOf } from '#shared/domain/messages/topic.ts';
import type { User } from '#shared/domain/users/user.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { blockSummaryChangeWrites } from '#shared/store/log/block-summaries.ts';
import { rewritingWrite } from '#shared/store/log/rewriting.ts';
import type { Key } from '#shared/table/keys/key.ts';
import { messageKeys, messagePartitions } from '#shared/table/keys/log.ts';
import type { Table, Write } from '#shared/table/table.ts';
import { concernsUploads, type Edited, uploadEditOf } from './edited-text.ts';
import { jobsOfLinks, jobsOfMentions } from './message-text.ts';
import { rewriteWrite } from './rewrite.ts';

/** Replaces the text of a message; its history keeps the previous one. @throws Conflict */
export async function editContent(
  services: Services,
  user: User,
  { message, view }: Edited,
  text: EditedText,
): Promise<void> {
  const atSeconds = toSeconds(services.clock.nowMs());
  const superseded = await findSuperseded(services.table, message);
  const files = await editUploads(services, message, text);
  const parts = { userId: user.userId, atSeconds, channel: view?.channel };
  const next = withContent(bare(message), text, atSeconds);
  const isCallingOthers = !isSameMentions(message.mentions, text.mentions);
  const topic = topicOf(message, view);
  const jobs = [
    ...(await jobsOfMentions(services.table, topic && placeOf(topic), text, message.mentions)),
    ...(await jobsOfLinks(services.table, user, text, message.messageId)),
  ];
  await commit(services, {
    jobs,
    writes: (position) => [
      rewriteWrite(message, next),
      ...(isCallingOthers
        ? [
            ...blockSummaryChangeWrites([{ ...next, messageId: message.messageId }]),
            rewritingWrite(services.clock.nowMs()),
          ]
        : []),
      keptText(message, { position, userId: user.userId, atSeconds }),
      ...superseded.map((key): Write => ({ kind: 'delete', key })),
      ...files.writes(position),
    ],
    events: [updateEvent([message], parts, contentUpdate(message, text)), ...files.events],
  });
}

/** How an edit changes the files that the message links to; empty without files. */
export async function editUploads(services: Services, message: Message, text: EditedText) {
  const change = concernsUploads(message, text)
    ? await (await import('#shared/actions/uploads/uploads.ts')).renameUploads(
        services,
        uploadEditOf(message, text),
      )
    : {};
  return { events: change.events ?? [], writes: (position: number) => writesAt(change, position) };
}

/** Stores the text of a message before the change at a position. */
export const keptText = (
  { messageId, content, html }: Message,
  { position, userId, atSeconds }: { position: number; userId: number; atSeconds: number },
): Write => ({
  kind: 'put',
  item: { ...messageKeys.earlierText(messageId, position), userId, atSeconds, content, html },
});

/** The oldest stored text, if it must make room for another one. */
export async function findSuperseded(table: Table, { messageId, keptEdits = 0 }: Message): Promise<Key[]> {
  if (keptEdits < KEPT_TEXTS) return [];
  const { items } = await table.page({
    partition: messagePartitions.textsOf(messageId),
    limit: 1,
    consistent: true,
  });
  return items.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
}
