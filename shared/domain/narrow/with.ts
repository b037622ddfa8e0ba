import type { Message } from '#shared/domain/messages/message.ts';
import { invalidWith } from './parse.ts';
import type { ResolvedTerm, Term } from './term.ts';

type PlainTerm = Exclude<Term, { kind: 'with' }>;

const isPlain = (term: Term): term is PlainTerm => term.kind !== 'with';
const namesConversation = ({ kind }: Term): boolean => ['channel', 'topic', 'direct'].includes(kind);

/** The operand of a `with` term. */
export const findWithId = (terms: Term[]): number | undefined =>
  terms.find((term): term is Extract<Term, { kind: 'with' }> => term.kind === 'with')?.messageId;

/**
 * Replaces `with` by the terms of the conversation that the message is in now. A message that the caller may
 * not read is ignored when other terms name a conversation.
 * @throws BadNarrow when no term identifies a conversation
 */
export function settleWith(
  terms: Term[],
  message: Message | undefined,
  callerId: number,
): { written: PlainTerm[]; settled: ResolvedTerm[] } {
  const written = terms.filter(isPlain);
  if (findWithId(terms) === undefined) return { written, settled: [] };
  if (message) {
    const others = written.filter((term) => !namesConversation(term));
    return { written: others, settled: conversationOf(message, callerId) };
  }
  if (!written.some(namesConversation)) throw invalidWith();
  return { written, settled: [] };
}

function conversationOf(message: Message, callerId: number): ResolvedTerm[] {
  if (message.kind === 'channel')
    return [
      { kind: 'channel', channel: message.channelId, isNegated: false },
      { kind: 'topic', topic: message.topic, isNegated: false },
    ];
  const users = message.recipients.map(({ id }) => id).filter((id) => id !== callerId);
  return [{ kind: 'direct', users, written: '', isNegated: false }];
}
