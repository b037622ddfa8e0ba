import { BadRequest } from '#shared/domain/errors.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { matches } from '#shared/domain/narrow/matches.ts';
import { parseNarrow } from '#shared/domain/narrow/parse.ts';
import type { Criterion, MessageContext } from '#shared/domain/narrow/term.ts';

type QueueNarrow = [operator: string, operand: string][];

const OPERATORS = ['channel', 'stream', 'topic', 'sender', 'is'];
/** Operands of `is` that ask for messages of channels, whichever; of the narrow of a queue alone. */
const IN_CHANNELS = ['channel', 'stream'];
/** Those that ask what the owner of the queue wants to hear of. */
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

/** @throws BadRequest for operators and operands that a queue's narrow cannot have */
export function checkQueueNarrow(narrow: QueueNarrow): void {
  for (const [operator, operand] of narrow) {
    if (!OPERATORS.includes(operator)) throw new BadRequest(`Operator ${operator} not supported.`);
    if (operator === 'is' && !IS_OPERANDS.includes(operand))
      throw new BadRequest(`Operand ${operand} not supported.`);
  }
}

/**
 * Whether a message fulfils every term. A term means what it means elsewhere, but channels and senders are compared
 * by name, not by id, and both `is:mentioned` and `is:alerted` ask for the flag `mentioned`.
 */
export const matchesQueueNarrow = (narrow: QueueNarrow, message: Message, context: MessageContext): boolean =>
  matches(narrow.flatMap(toCriteria), message, context);

/** Whether a narrow asks what the owner of the queue mutes or follows. */
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
      // `checkQueueNarrow` lets no other term into a queue.
      default:
        return [];
    }
  });
}
