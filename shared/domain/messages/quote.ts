import { limits } from '#shared/domain/channels/channel.ts';
import type { Message } from './message.ts';

const CUT = '\n[message truncated]';

/** Names somebody without calling them. */
export const mention = (userId: number, fullName: string): string => `@_**${fullName}|${userId}**`;

/** Names a message of a channel, so that clients link to it. */
export const nameMessage = ({
  channelName,
  topic,
  messageId,
}: Extract<Message, { kind: 'channel' }>): string => `#**${channelName}>${topic}@${messageId}**`;

/** A block whose fence is longer than any in its text, so that nothing in there ends it. */
export function fenced(header: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${header}\n${text}\n${fence}`;
}

/** The content of a message, cut so that it fits into another beside other text, at most so many characters. */
export function quotable({ content }: Message, beside: string, maxLength: number = limits.message): string {
  const fences = 2 * Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length)) + 20;
  const room = Math.min(maxLength, limits.message - [...beside].length - fences - CUT.length);
  const characters = [...content];
  return characters.length <= room ? content : characters.slice(0, Math.max(0, room)).join('') + CUT;
}
