import { BadRequest } from '#shared/domain/errors.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { isSameTopic, readTopic } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';

const OPERATORS = ['channel', 'stream', 'topic', 'sender', 'is'];
const IS_OPERANDS = ['dm', 'private', 'starred', 'unread', 'mentioned', 'alerted', 'resolved'];
export const RESOLVED_PREFIX = '✔ ';

/** @throws BadRequest for operators and operands that a queue's narrow cannot have */
export function checkQueueNarrow(narrow: [string, string][]): void {
  for (const [operator, operand] of narrow) {
    if (!OPERATORS.includes(operator)) throw new BadRequest(`Operator ${operator} not supported.`);
    if (operator === 'is' && !IS_OPERANDS.includes(operand))
      throw new BadRequest(`Operand ${operand} not supported.`);
  }
}

/** Whether a message fulfils every term; channels and senders are compared by name, not by id. */
export const matchesQueueNarrow = (narrow: [string, string][], message: Message, flags: string[]): boolean =>
  narrow.every(([operator, operand]) => matchesTerm(operator, operand, message, flags));

function matchesTerm(operator: string, operand: string, message: Message, flags: string[]): boolean {
  const channelMessage = message.kind === 'channel' ? message : undefined;
  switch (operator) {
    case 'channel':
    case 'stream':
      return channelMessage !== undefined && toCanonical(channelMessage.channelName) === toCanonical(operand);
    case 'topic':
      return channelMessage !== undefined && isSameTopic(channelMessage.topic, readTopic(operand));
    case 'sender':
      return message.senderEmail.toLowerCase() === operand.toLowerCase();
    default:
      return matchesIs(operand, message, flags);
  }
}

function matchesIs(operand: string, message: Message, flags: string[]): boolean {
  if (operand === 'dm' || operand === 'private') return message.kind === 'direct';
  if (operand === 'unread') return !flags.includes('read');
  if (operand === 'starred') return flags.includes('starred');
  if (operand === 'resolved') return message.kind === 'channel' && message.topic.startsWith(RESOLVED_PREFIX);
  return flags.includes('mentioned');
}
