import { BadRequest } from '#shared/domain/errors.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { matches } from '#shared/domain/narrow/matches.ts';
import { parseNarrow } from '#shared/domain/narrow/parse.ts';
import { type Criterion, noPreferences } from '#shared/domain/narrow/term.ts';

type QueueNarrow = [operator: string, operand: string][];

const OPERATORS = ['channel', 'stream', 'topic', 'sender', 'is'];
const IS_OPERANDS = ['dm', 'private', 'starred', 'unread', 'mentioned', 'alerted', 'resolved'];

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
export const matchesQueueNarrow = (
  narrow: QueueNarrow,
  callerId: number,
  message: Message,
  flags: string[],
): boolean =>
  matches(toCriteria(narrow), message, { callerId, flags, view: undefined, preferences: noPreferences });

function toCriteria(narrow: QueueNarrow): Criterion[] {
  return parseNarrow(narrow).flatMap((term): Criterion[] => {
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
