import type { HistoryEntry, Message, Move } from '#shared/domain/messages/message.ts';

/** The text of a message before the change at a position. */
export interface EarlierText {
  position: number;
  userId: number;
  atSeconds: number;
  content: string;
  html: string;
}

/** The number of earlier texts and of earlier places that are kept per message, newest first. */
export const KEPT_TEXTS = 50;
export const KEPT_MOVES = 100;

/** The changes of a message, newest first: its texts, topics and channels. */
export function historyOf(message: Message, texts: EarlierText[]): HistoryEntry[] {
  const moves = message.kind === 'channel' ? (message.moves ?? []) : [];
  const positions = [...new Set([...texts, ...moves].map(({ position }) => position))].sort((a, b) => b - a);
  let place = message.kind === 'channel' ? { topic: message.topic, channelId: message.channelId } : undefined;
  return positions.map((position) => {
    const text = texts.find((candidate) => candidate.position === position);
    const move = moves.find((candidate) => candidate.position === position);
    const { userId, atSeconds } = (text ?? move) as EarlierText | Move;
    const entry: HistoryEntry = {
      userId,
      atSeconds,
      ...(text && { content: { before: text.content, htmlBefore: text.html } }),
      ...(place && move?.topic !== undefined && { topic: { before: move.topic, after: place.topic } }),
      ...(place &&
        move?.channelId !== undefined && { channel: { before: move.channelId, after: place.channelId } }),
    };
    if (place && move)
      place = { topic: move.topic ?? place.topic, channelId: move.channelId ?? place.channelId };
    return entry;
  });
}

/** The history without channels that are hidden from the reader. */
export const withoutChannels = (
  history: HistoryEntry[],
  isKnown: (channelId: number) => boolean,
): HistoryEntry[] =>
  history.flatMap((entry) => {
    const { channel, ...rest } = entry;
    if (!channel || (isKnown(channel.before) && isKnown(channel.after))) return [entry];
    return rest.topic || rest.content ? [rest] : [];
  });

/** The state of a message at some time, and the change that led to it. */
export interface MessageState {
  userId: number;
  atSeconds: number;
  content: string;
  html: string;
  topic: string;
  change?: HistoryEntry;
}

/** The states of a message after each change, oldest first; the first one is as sent. */
export function statesOf(message: Message, history: HistoryEntry[]): MessageState[] {
  const states: MessageState[] = [];
  let { content, html } = message;
  let topic = message.kind === 'channel' ? message.topic : '';
  for (const change of history) {
    const { userId, atSeconds } = change;
    states.push({ userId, atSeconds, content, html, topic, change });
    content = change.content?.before ?? content;
    html = change.content?.htmlBefore ?? html;
    topic = change.topic?.before ?? topic;
  }
  states.push({ userId: message.senderId, atSeconds: message.atSeconds, content, html, topic });
  return states.reverse();
}
