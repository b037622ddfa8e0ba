import type { MessageSource } from '#shared/domain/narrow/source.ts';
import type { Table } from '#shared/table/table.ts';
import { walkConversations } from './conversation-walk.ts';
import { findMessage } from './messages.ts';
import { parts, type Stretch, type WalkedPage, walkPartitions } from './partition-walk.ts';

/**
 * The messages of a source along a stretch, from the index that holds just them, or from the log itself. The first
 * page is as large as what is missing; as long as little of it is of use, pages grow.
 */
export async function* walkSource(
  table: Table,
  callerId: number,
  source: MessageSource,
  stretch: Stretch,
  missing: () => number,
): AsyncGenerator<WalkedPage> {
  if (source.kind === 'message') {
    const isWithin = stretch.from <= source.messageId && source.messageId <= stretch.to;
    const message = isWithin ? await findMessage(table, source.messageId) : undefined;
    yield { messages: message ? [message] : [], examined: 1 };
  } else if (source.kind === 'conversations') {
    yield* walkConversations(table, callerId, source.withUserId, stretch);
  } else {
    yield* walkPartitions(table, partOf(source), stretch, missing);
  }
}

function partOf(source: Exclude<MessageSource, { kind: 'message' | 'conversations' }>) {
  switch (source.kind) {
    case 'conversation':
      return parts.conversation(source.userIds);
    case 'topic':
      return parts.topic(source.channelId, source.topic);
    case 'channel':
      return parts.channel(source.channelId);
    case 'log':
      return parts.log();
  }
}
