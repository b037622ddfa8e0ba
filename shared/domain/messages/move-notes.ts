import type { Channel } from '#shared/domain/channels/channel.ts';
import type { StoredMessage } from './message.ts';
import type { TopicPlace } from './move.ts';
import { isResolved, isResolving } from './topic.ts';

/** What the notification bot says where messages came from and where they went. */
export interface MoveNote {
  place: TopicPlace;
  /** It stands where the messages went: without them it has no place. */
  isAtDestination: boolean;
  content: string;
}

/** A move of messages that was done. */
export interface DoneMove {
  from: TopicPlace;
  to: TopicPlace;
  count: number;
  /** Nothing of the topic stayed behind. */
  isWhole: boolean;
  notifiesOld: boolean;
  notifiesNew: boolean;
}

/** Whoever changes their mind so soon takes back what the bot said instead of adding to it. */
const UNDO_SECONDS = 60;

/** Whether a message says the opposite of a note about resolving, and so lately that it goes instead of being answered. */
export const isUndoneBy = (
  message: StoredMessage,
  note: MoveNote,
  botId: number,
  nowSeconds: number,
): boolean =>
  message.senderId === botId &&
  nowSeconds - message.atSeconds <= UNDO_SECONDS &&
  note.content !== message.content &&
  [' as resolved.', ' as unresolved.'].every(
    (end) => note.content.endsWith(end) || message.content.endsWith(end),
  );

/** The notes of a move, in the order in which they are sent. */
export function notesOfMove(move: DoneMove, actor: string, channels: Map<number, Channel>): MoveNote[] {
  const { from, to, count, isWhole } = move;
  if (from.channelId === to.channelId && isResolving(from.topic, to.topic)) {
    if (!isWhole) return [];
    const what = isResolved(to.topic) ? 'resolved' : 'unresolved';
    return [{ place: to, isAtDestination: true, content: `${actor} has marked this topic as ${what}.` }];
  }
  const linkTo = (place: TopicPlace, reader: TopicPlace): string => linkOf(place, reader, channels);
  const notes: MoveNote[] = [];
  if (move.notifiesNew)
    notes.push({
      place: to,
      isAtDestination: true,
      content: `${whatCame(count, isWhole)} moved here from ${linkTo(from, to)} by ${actor}.`,
    });
  if (move.notifiesOld)
    notes.push({
      place: from,
      isAtDestination: false,
      content: `${whatWent(count, isWhole)} to ${linkTo(to, from)} by ${actor}.`,
    });
  return notes;
}

const whatCame = (count: number, isWhole: boolean): string => {
  if (isWhole) return 'This topic was';
  return count === 1 ? 'A message was' : `${count} messages were`;
};

const whatWent = (count: number, isWhole: boolean): string => {
  if (isWhole) return 'This topic was moved';
  return count === 1 ? 'A message was moved from this topic' : `${count} messages were moved from this topic`;
};

/** Readers of one channel are not told the name of another one that they may not know of. */
function linkOf(place: TopicPlace, reader: TopicPlace, channels: Map<number, Channel>): string {
  const channel = channels.get(place.channelId);
  if (!channel || (channel.isPrivate && place.channelId !== reader.channelId)) return 'a private channel';
  return `#**${channel.name}>${place.topic}**`;
}
