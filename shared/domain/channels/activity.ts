import type { Message } from '#shared/domain/messages/message.ts';
import type { Channel } from './channel.ts';

const DAY_SECONDS = 24 * 3600;

/** What a message changes of the data that its channel has about messages: it is the first, or the first for a day. Most change nothing. */
export function newActivity(
  channel: Channel,
  { messageId, atSeconds }: Message,
): { isFirst: boolean; isNewDay: boolean } | undefined {
  const isFirst = channel.firstMessageId === null || messageId < channel.firstMessageId;
  const isNewDay = atSeconds - channel.lastActiveAtSeconds > DAY_SECONDS;
  return isFirst || isNewDay ? { isFirst, isNewDay } : undefined;
}
