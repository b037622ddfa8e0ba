import type { Change } from '#shared/domain/change.ts';
import { unchangedCheck } from '#shared/domain/channels/channel-check.ts';
import { linksOfTopic } from '#shared/domain/linkifiers/links.ts';
import { contentUpdate, withContent } from '#shared/domain/messages/editing/edit-content.ts';
import { bare, updateEvent } from '#shared/domain/messages/editing/rewrite.ts';
import { movedMessage, type PlacedMessage } from '#shared/domain/messages/moving/move.ts';
import type { MoveOrder } from '#shared/domain/messages/moving/move-order.ts';
import { isSamePlace } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { Conflict } from '#shared/log/commit.ts';
import { joinChannel, joinTopicWrites, leaveChannel, leaveTopicWrites } from '#shared/log/topic-summaries.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findChannel } from '#shared/store/channels/channels.ts';
import { loadLinker } from '#shared/store/linkifiers.ts';
import { blockSummaryChangeWrites, foldBlockSummaryChanges } from '#shared/store/log/block-summaries.ts';
import { arrivalWrites } from '#shared/store/topics/arrivals.ts';
import { refreshTopicMessages } from '#shared/store/topics/topic-messages.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Write } from '#shared/table/table.ts';
import { editUploads, findSuperseded, keptText } from './edit-content.ts';
import { rewriteWrite } from './rewrite.ts';

/**
 * The change that moves messages of one topic, as many as `takeBatch` returns. `withNewest` means that the
 * newest message of the topic must be among them.
 * @throws Conflict
 */
export async function moveChange(
  services: Services,
  order: MoveOrder,
  input: PlacedMessage[],
  { withNewest = false } = {},
): Promise<Change> {
  const { table, clock } = services;
  const { userId, from, to, text, mode } = order;
  const atSeconds = toSeconds(clock.nowMs());
  const messages = await refreshTopicMessages(table, from, input);
  const isElsewhere = from.channelId !== to.channelId;
  const [channel, target, linker] = await Promise.all([
    findChannel(table, from.channelId),
    findChannel(table, to.channelId),
    loadLinker(table),
  ]);
  if (messages.length < input.length || !channel || !target) throw new Conflict();
  await foldBlockSummaryChanges(
    table,
    messages.map(({ messageId }) => messageId),
    services.ids.writeId(),
  );
  const topicLinks = linksOfTopic(to.topic, linker);
  const summaries = await summaryWrites(services, order, messages, withNewest);
  const firsts = isElsewhere
    ? [await leaveChannel(services, channel, messages), joinChannel(target, messages)]
    : [];
  const edited = messages.find(({ messageId }) => messageId === text?.messageId);
  const superseded = edited ? await findSuperseded(table, edited) : [];
  const files = edited && text ? await editUploads(services, edited, text) : undefined;
  const movedAt = (message: PlacedMessage, position: number): PlacedMessage => {
    const moved = movedMessage(
      message,
      { channel: target, topic: to.topic, topicLinks },
      { userId, atSeconds, position },
    );
    return text && message === edited ? withContent(moved, text, atSeconds) : moved;
  };
  const writesAt = (position: number): Write[] => {
    const moved = messages.map((message) => [message, movedAt(message, position)] as const);
    const there = moved.map(([, message]) => message);
    return [
      ...moved.map(([message, next]) => rewriteWrite(message, bare(next))),
      ...blockSummaryChangeWrites(there),
      ...(edited ? [keptText(edited, { position, userId, atSeconds })] : []),
      ...superseded.map((key): Write => ({ kind: 'delete', key })),
      ...(files?.writes(position) ?? []),
      ...arrivalWrites(to, messages, position, clock.nowMs()),
      ...summaries(there),
      ...firsts.flatMap(({ writes }) => writes),
      // The state of the channels decides who may read the messages.
      ...[channel, ...(isElsewhere ? [target] : [])].flatMap((place) =>
        unchangedCheck(
          place,
          firsts.flatMap(({ writes }) => writes),
        ),
      ),
    ];
  };
  return {
    writes: writesAt,
    events: [
      updateEvent(
        messages,
        { userId, atSeconds, channel, ...(isElsewhere && { to: target }) },
        {
          orig_subject: messages[0]?.topic ?? from.topic,
          ...(from.topic !== to.topic && { subject: to.topic }),
          ...(isElsewhere && { new_stream_id: to.channelId }),
          propagate_mode: mode,
          topic_links: topicLinks,
          ...(text && edited && contentUpdate(edited, text)),
        },
      ),
      ...firsts.flatMap(({ events }) => events),
      ...(files?.events ?? []),
    ],
  };
}

async function summaryWrites(
  services: Services,
  { from, to }: MoveOrder,
  messages: PlacedMessage[],
  withNewest: boolean,
): Promise<(there: PlacedMessage[]) => Write[]> {
  const { table } = services;
  if (isSamePlace(from, to)) {
    const key = channelKeys.topic(from.channelId, toCanonical(from.topic));
    const head = await table.find(key);
    const isNewest = messages.some(({ messageId }) => messageId === head?.maxMessageId);
    const condition = { equals: { maxMessageId: head?.maxMessageId } };
    return () => (isNewest ? [{ kind: 'update', key, set: { topic: to.topic }, condition }] : []);
  }
  const leaving = await leaveTopicWrites(services, from, messages, { withNewest });
  const joining = await joinTopicWrites(table, to);
  return (there) => [...leaving, ...joining(there)];
}
