import type { Message } from '#shared/domain/messages/message.ts';
import type { Channel } from './channel.ts';

const DAY_SECONDS = 24 * 3600;

/** Whether a message is the first of its channel, or the first for a day. */
export const newsOf = (channel: Channel, { messageId, atSeconds }: Message) => ({
  isFirst: channel.firstMessageId === null || messageId < channel.firstMessageId,
  isNewDay: atSeconds - channel.lastActiveAtSeconds > DAY_SECONDS,
});

/** Whether a message changes what its channel tells of its messages; most do not. */
export const isNews = (channel: Channel, message: Message): boolean => {
  const { isFirst, isNewDay } = newsOf(channel, message);
  return isFirst || isNewDay;
};
