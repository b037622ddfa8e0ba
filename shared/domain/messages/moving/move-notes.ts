import type { Channel } from '#shared/domain/channels/channel.ts';
import type { StoredMessage } from '#shared/domain/messages/message.ts';
import { isResolved, isResolving } from '#shared/domain/messages/topic.ts';
import type { TopicPlace } from '#shared/domain/topics/topic-place.ts';

/** A message of the notification bot at the old or new place of moved messages. */
export interface MoveNote {
  place: TopicPlace;
  /** It belongs to the destination and is dropped if the messages have left it. */
  isAtDestination: boolean;
  content: string;
}

/** A completed move of messages. */
export interface DoneMove {
  from: TopicPlace;
  to: TopicPlace;
  count: number;
  /** The whole topic was moved. */
  isWhole: boolean;
  notifiesOld: boolean;
  notifiesNew: boolean;
}

/** Reverting within this time deletes the bot's earlier note instead of adding one. */
const UNDO_SECONDS = 60;

/** Whether a message is a recent note of the opposite resolution, which is deleted instead of answered. */
export const isUndoneBy = (
  message: StoredMessage,
  note: MoveNote,
  botId: number,
  nowSeconds: number,
): boolean =>
  message.senderId === botId &&
  nowSeconds - message.atSeconds <= UNDO_SECONDS &&
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

/** The name of a channel is left out for readers who may not know of it. */
function linkOf(place: TopicPlace, reader: TopicPlace, channels: Map<number, Channel>): string {
  const channel = channels.get(place.channelId);
  if (!channel || (channel.isPrivate && place.channelId !== reader.channelId)) return 'a private channel';
  return `#**${channel.name}>${place.topic}**`;
}
