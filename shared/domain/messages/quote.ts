import { limits } from '#shared/domain/channels/channel.ts';
import type { Message } from './message.ts';

const CUT = '\n[message truncated]';

/** A silent mention of a user. */
export const mention = (userId: number, fullName: string): string => `@_**${fullName}|${userId}**`;

/** A reference to a channel message that clients turn into a link. */
export const nameMessage = ({
  channelName,
  topic,
  messageId,
}: Extract<Message, { kind: 'channel' }>): string => `#**${channelName}>${topic}@${messageId}**`;

/** A block with a fence longer than any in its text, so that the text cannot end it. */
export function fenced(header: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${header}\n${text}\n${fence}`;
}

/**
 * The content of a message, cut to at most this many characters so that it fits into another message beside
 * other text.
 */
export function quotable({ content }: Message, beside: string, maxLength: number = limits.message): string {
  const fences = 2 * Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length)) + 20;
  const room = Math.min(maxLength, limits.message - [...beside].length - fences - CUT.length);
  const characters = [...content];
  return characters.length <= room ? content : characters.slice(0, Math.max(0, room)).join('') + CUT;
}
