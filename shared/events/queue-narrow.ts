import { BadRequest } from '#shared/domain/errors.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { matches } from '#shared/domain/narrow/matches.ts';
import { parseNarrow } from '#shared/domain/narrow/parse.ts';
import type { Criterion, MessageContext } from '#shared/domain/narrow/term.ts';

type QueueNarrow = [operator: string, operand: string][];

const OPERATORS = ['channel', 'stream', 'topic', 'sender', 'is'];
/** Operands of `is` for any channel message; valid only in the narrow of a queue. */
const IN_CHANNELS = ['channel', 'stream'];
/** Operands that depend on the topics that the queue's owner mutes or follows. */
const OF_TOPICS = ['muted', 'followed'];
const IS_OPERANDS = [
  ...IN_CHANNELS,
  ...OF_TOPICS,
  'dm',
  'private',
  'starred',
  'unread',
  'mentioned',
  'alerted',
  'resolved',
];

/** @throws BadRequest for operators and operands that are not allowed in a queue's narrow */
export function checkQueueNarrow(narrow: QueueNarrow): void {
  for (const [operator, operand] of narrow) {
    if (!OPERATORS.includes(operator)) throw new BadRequest(`Operator ${operator} not supported.`);
    if (operator === 'is' && !IS_OPERANDS.includes(operand))
      throw new BadRequest(`Operand ${operand} not supported.`);
  }
}

/**
 * Whether a message matches every term. Terms mean the same as elsewhere, except that channels and senders
 * are compared by name, and both `is:mentioned` and `is:alerted` test the flag `mentioned`.
 */
export const matchesQueueNarrow = (narrow: QueueNarrow, message: Message, context: MessageContext): boolean =>
  matches(narrow.flatMap(toCriteria), message, context);

/** Whether a narrow depends on topics that the queue's owner mutes or follows. */
export const asksForTopics = (narrow: QueueNarrow): boolean =>
  narrow.some(([operator, operand]) => operator === 'is' && OF_TOPICS.includes(operand));

function toCriteria([operator, operand]: QueueNarrow[number]): Criterion[] {
  if (operator === 'is' && IN_CHANNELS.includes(operand)) return [{ kind: 'inChannels', isNegated: false }];
  return parseNarrow([[operator, operand]]).flatMap((term): Criterion[] => {
    const { isNegated } = term;
    switch (term.kind) {
      case 'channel':
        return [{ kind: 'channelNamed', name: String(term.channel), isNegated }];
      case 'sender':
        return [{ kind: 'sentFrom', email: String(term.user), isNegated }];
      case 'topic':
        return [term];
      case 'is': {
        const isFlag = term.operand === 'mentioned' || term.operand === 'alerted';
        return [isFlag ? { kind: 'flagged', flag: 'mentioned', isNegated } : term];
      }
      // `checkQueueNarrow` rejects all other terms.
      default:
        return [];
    }
  });
}
