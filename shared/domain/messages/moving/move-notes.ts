import type { Channel } from '#shared/domain/channels/channel.ts';
import type { StoredMessage } from '#shared/domain/messages/message.ts';
import { isResolved, isResolving, type TopicPlace } from '#shared/domain/messages/topic.ts';
import type { Say } from '#shared/domain/texts/texts.ts';

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
  say: Say,
): boolean => {
  const resolved = isNoteOf('topics.resolved', say);
  const unresolved = isNoteOf('topics.unresolved', say);
  return (
    message.senderId === botId &&
    nowSeconds - message.atSeconds <= UNDO_SECONDS &&
    ((resolved(note.content) && unresolved(message.content)) ||
      (unresolved(note.content) && resolved(message.content)))
  );
};

/** Whether a text is this one, whoever is named in it. */
function isNoteOf(key: 'topics.resolved' | 'topics.unresolved', say: Say): (content: string) => boolean {
  const [begin = '', end = ''] = say(key, { person: '\0' }).split('\0');
  return (content) => content.startsWith(begin) && content.endsWith(end);
}

/** The notes of a move, in the order in which they are sent. */
export function notesOfMove(
  move: DoneMove,
  person: string,
  channels: Map<number, Channel>,
  say: Say,
): MoveNote[] {
  const { from, to, count, isWhole } = move;
  if (from.channelId === to.channelId && isResolving(from.topic, to.topic)) {
    if (!isWhole) return [];
    const key = isResolved(to.topic) ? 'topics.resolved' : 'topics.unresolved';
    return [{ place: to, isAtDestination: true, content: say(key, { person }) }];
  }
  const linkTo = (place: TopicPlace, reader: TopicPlace): string =>
    linkOf(place, reader, channels) ?? say('channels.privateChannel');
  const notes: MoveNote[] = [];
  if (move.notifiesNew)
    notes.push({
      place: to,
      isAtDestination: true,
      content: isWhole
        ? say('topics.topicCame', { place: linkTo(from, to), person })
        : say('topics.messagesCame', { count, place: linkTo(from, to), person }),
    });
  if (move.notifiesOld)
    notes.push({
      place: from,
      isAtDestination: false,
      content: isWhole
        ? say('topics.topicWent', { place: linkTo(to, from), person })
        : say('topics.messagesWent', { count, place: linkTo(to, from), person }),
    });
  return notes;
}

/** Undefined where readers may not know of the channel. */
function linkOf(place: TopicPlace, reader: TopicPlace, channels: Map<number, Channel>): string | undefined {
  const channel = channels.get(place.channelId);
  if (!channel || (channel.isPrivate && place.channelId !== reader.channelId)) return undefined;
  return `#**${channel.name}>${place.topic}**`;
}
