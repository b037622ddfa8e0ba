import type { MessageSource } from '#shared/domain/narrow/source.ts';
import { findMessage, listMessagesById } from '#shared/store/messages/messages.ts';
import {
  parts,
  type Stretch,
  type WalkedPage,
  walkPartitions,
} from '#shared/store/messages/partition-walk.ts';
import { listStarredIds, openMarks } from '#shared/store/reading/read-state.ts';
import type { Table } from '#shared/table/table.ts';
import { walkConversations } from './conversation-walk.ts';
import { type Sieve, walkLog } from './log-walk.ts';

const MIN_PAGE = 10;

/**
 * The messages of a source along a stretch, from an index of its own or from the log, whose sieve may skip
 * messages that do not match. The first page has the requested size; while few messages match, pages grow.
 */
export async function* walkSource(
  table: Table,
  callerId: number,
  source: MessageSource,
  stretch: Stretch,
  missing: () => number,
  sieve: Sieve,
): AsyncGenerator<WalkedPage> {
  if (source.kind === 'message') {
    const isWithin = stretch.from <= source.messageId && source.messageId <= stretch.to;
    const message = isWithin ? await findMessage(table, source.messageId) : undefined;
    yield { messages: message ? [message] : [], examined: 1 };
  } else if (source.kind === 'starred') {
    yield* walkStarred(table, callerId, stretch, missing);
  } else if (source.kind === 'conversations') {
    yield* walkConversations(table, callerId, source.withUserId, stretch);
  } else if (source.kind === 'log') {
    yield* walkLog(table, sieve, stretch, missing);
  } else if (source.kind !== 'nothing') {
    yield* walkPartitions(table, partOf(source), stretch, missing);
  }
}

/** Reads starred messages along a stretch, in batches of the wanted size. */
async function* walkStarred(
  table: Table,
  callerId: number,
  { from, to, isBackwards }: Stretch,
  missing: () => number,
): AsyncGenerator<WalkedPage> {
  const starred = await listStarredIds(table, callerId, await openMarks(table, callerId));
  const waiting = starred.filter((id) => from <= id && id <= to);
  if (isBackwards) waiting.reverse();
  while (waiting.length > 0) {
    const messages = await listMessagesById(table, waiting.splice(0, Math.max(missing(), MIN_PAGE)));
    yield { messages: isBackwards ? messages.reverse() : messages, examined: messages.length };
  }
}

type Partitioned = Extract<MessageSource, { kind: 'conversation' | 'topic' | 'channel' }>;

function partOf(source: Partitioned) {
  switch (source.kind) {
    case 'conversation':
      return parts.conversation(source.userIds);
    case 'topic':
      return parts.topic(source.channelId, source.topic);
    case 'channel':
      return parts.channel(source.channelId);
  }
}
