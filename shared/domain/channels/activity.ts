import type { Message } from '#shared/domain/messages/message.ts';
import type { Channel } from './channel.ts';

const DAY_SECONDS = 24 * 3600;

/** How a message changes its channel's data about messages: the first one ever or of a day does, most do not. */
export function newActivity(
  channel: Channel,
  { messageId, atSeconds }: Message,
): { isFirst: boolean; isNewDay: boolean } | undefined {
  const isFirst = channel.firstMessageId === null || messageId < channel.firstMessageId;
  const isNewDay = atSeconds - channel.lastActiveAtSeconds > DAY_SECONDS;
  return isFirst || isNewDay ? { isFirst, isNewDay } : undefined;
}
