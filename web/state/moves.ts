import { movedTo } from './messages.ts';
import { isSameName } from './names.ts';
import { conversationOf, type Narrow } from './narrow.ts';
import type { UpdateEvent } from './wire-events.ts';

/** A topic of a channel. */
export interface TopicPlace {
  type: 'stream';
  channelId: number;
  topic: string;
}

/** Messages that went from one topic to another. */
export interface Moved {
  from: TopicPlace;
  to: TopicPlace;
  mode: 'change_one' | 'change_later' | 'change_all';
  messageIds: readonly number[];
  /** Who moved them; null if the service did. */
  userId: number | null;
}

const RESOLVED = '✔ ';

/** Reads where an event moved messages; undefined if it moved none. */
export function movedBy(event: UpdateEvent): Moved | undefined {
  const place = movedTo(event);
  if (!place || event.stream_id === undefined || event.orig_subject === undefined) return undefined;
  const from: TopicPlace = { type: 'stream', channelId: event.stream_id, topic: event.orig_subject };
  const to: TopicPlace = { type: 'stream', channelId: place.stream_id, topic: place.topic };
  if (from.channelId === to.channelId && isSameName(from.topic, to.topic)) return undefined;
  const { propagate_mode: mode = 'change_one', message_ids: messageIds, user_id: userId = null } = event;
  return { from, to, mode, messageIds, userId };
}

export const isSamePlace = (a: TopicPlace, b: TopicPlace): boolean =>
  a.channelId === b.channelId && isSameName(a.topic, b.topic);

/** Whether a narrow shows the topic that messages left. */
export function isLeft(narrow: Narrow, { from }: Moved): boolean {
  const open = conversationOf(narrow);
  return open?.type === 'stream' && isSamePlace(open, from);
}

/**
 * Whether the reader of a topic follows moved messages: all of them moved, or the end of the topic. `leftIds` are
 * the messages known to be still there.
 */
export function goesAlong({ mode, messageIds }: Moved, leftIds: readonly number[]): boolean {
  if (mode === 'change_all' || leftIds.length === 0) return true;
  return mode === 'change_later' && Math.max(...messageIds) > Math.max(...leftIds);
}

export type MoveKind = 'resolved' | 'reopened' | 'renamed' | 'moved';

/** The kind of the move, as its readers see it. */
export function kindOf({ from, to }: Moved): MoveKind {
  if (from.channelId !== to.channelId) return 'moved';
  if (to.topic === RESOLVED + from.topic) return 'resolved';
  if (from.topic === RESOLVED + to.topic) return 'reopened';
  return 'renamed';
}

/** The same topic with the other mark: resolved, or open again. */
export const withOtherMark = (topic: string): string =>
  topic.startsWith(RESOLVED) ? topic.slice(RESOLVED.length) : RESOLVED + topic;

/** A former topic and where its messages are now. */
export interface Former {
  from: TopicPlace;
  to: TopicPlace;
}

const MOST_FORMER = 300;

/** The former topics to remember after another move; a topic that exists again is forgotten. */
export function rememberMove(known: readonly Former[], { from, to }: Former): Former[] {
  const rest = known
    .filter((move) => !isSamePlace(move.from, from) && !isSamePlace(move.from, to))
    .map((move) => (isSamePlace(move.to, from) ? { from: move.from, to } : move));
  return [...rest, { from, to }].slice(-MOST_FORMER);
}

/** The current place of the messages of a former topic; undefined if none is remembered. */
export const formerOf = (known: readonly Former[], place: TopicPlace): TopicPlace | undefined =>
  known.find((move) => isSamePlace(move.from, place))?.to;
