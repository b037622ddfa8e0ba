import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { IndexName } from '#shared/table/definition.ts';
import {
  blockOf,
  firstOfBlock,
  lastOfBlock,
  logPartitions,
  messageIndex,
  positionOfSortKey,
  positionSortKey,
} from '#shared/table/keys/log.ts';
import type { Table } from '#shared/table/table.ts';
import { toMessage } from './messages.ts';

/** The positions of a walk, both ends included, and its direction. */
export interface Stretch {
  from: number;
  to: number;
  isBackwards: boolean;
}

/** The rest of a stretch after a position. */
export const behind = (stretch: Stretch, reached: number): Stretch =>
  stretch.isBackwards ? { ...stretch, to: reached - 1 } : { ...stretch, from: reached + 1 };

/** Messages in walk order, and the number of items read for them. */
export interface WalkedPage {
  messages: Message[];
  examined: number;
  /** Other messages of the source may lie between these. */
  isSparse?: boolean;
  /** The end of this page, if it is beyond its last message. */
  reached?: number;
}

const MIN_PAGE = 10;
const MAX_PAGE = 1000;
/** The cost of an empty page. */
const EMPTY_PAGE = 100;

/** The positions that one query covers. */
interface Part {
  index?: IndexName;
  partition: string;
  first: number;
  last: number;
}

type PartAt = (position: number) => Part;

/** The partitions of topics, channels, conversations and the log. */
export const parts = {
  topic: (channelId: number, topic: string): PartAt =>
    whole(messageIndex.byConversation, messageIndex.topic(channelId, toCanonical(topic))),
  channel: (channelId: number): PartAt => whole(messageIndex.byChannel, messageIndex.channel(channelId)),
  conversation: (userIds: number[]): PartAt =>
    whole(messageIndex.byConversation, messageIndex.direct(conversationKey(userIds))),
  log: (): PartAt => (position) => {
    const block = blockOf(position);
    return { partition: logPartitions.block(block), first: firstOfBlock(block), last: lastOfBlock(block) };
  },
};

const whole =
  (index: IndexName, partition: string): PartAt =>
  () => ({ index, partition, first: 0, last: Number.POSITIVE_INFINITY });

/** Walks the messages of an index partition, or of the blocks of the log, page by page. */
export async function* walkPartitions(
  table: Table,
  partAt: PartAt,
  { from, to, isBackwards }: Stretch,
  missing: () => number,
): AsyncGenerator<WalkedPage> {
  let position = isBackwards ? to : from;
  let limit = MIN_PAGE / 2;
  while (from <= position && position <= to) {
    const { index, partition, first, last } = partAt(position);
    limit = Math.min(MAX_PAGE, Math.max(missing(), limit * 2));
    const [lowest, highest] = isBackwards
      ? [Math.max(from, first), position]
      : [position, Math.min(to, last)];
    const { items, more } = await table.page({
      ...(index && { index }),
      partition,
      from: positionSortKey(lowest),
      to: positionSortKey(highest),
      backwards: isBackwards,
      limit,
    });
    const messages = items.map(toMessage).filter((message) => message !== undefined);
    const latest = items.at(-1);
    const end = isBackwards ? lowest : highest;
    const reached = more && latest ? positionOfSortKey(String(latest.sk)) : end;
    yield { messages, examined: items.length || EMPTY_PAGE, reached };
    position = reached + (isBackwards ? -1 : 1);
  }
}
