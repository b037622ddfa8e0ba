import type { Message, MessageFacts } from '#shared/domain/messages/message.ts';
import type { HasOperand } from './term.ts';

/**
 * The renderer's output for each kind: an image or its preview (emoji do not count), the address of an
 * uploaded file, any link.
 */
const TRACES = {
  attachment: /<(?:a|audio|img)\s[^>]*\b(?:href|src)="\/user_uploads\//,
  image: /<div class="message_inline_image"|<img\s(?![^>]*\bclass="emoji")/,
  link: /<a\s[^>]*\bhref="/,
};

/** Whether a message contains something of this kind. */
export function has({ html, reactions = [] }: Message, operand: HasOperand): boolean {
  return operand === 'reaction' ? reactions.length > 0 : TRACES[operand].test(html);
}

/** Whether a message mentions a user by name and not silently. */
export const mentions = ({ mentions: called }: MessageFacts, userId: number): boolean =>
  called?.userIds?.includes(userId) ?? false;

/**
 * Whether a message may mention a user in any way; the members of mentioned groups are not in the message.
 */
export function mayMention({ mentions: called }: MessageFacts, userId: number): boolean {
  if (!called) return false;
  const { userIds = [], members, everybody, participants } = called;
  return userIds.includes(userId) || [members, everybody, participants].some((value) => value !== undefined);
}
