import type { Message } from '#shared/domain/messages/message.ts';
import { invalidWith } from './parse.ts';
import type { ResolvedTerm, Term } from './term.ts';

type PlainTerm = Exclude<Term, { kind: 'with' }>;

const isPlain = (term: Term): term is PlainTerm => term.kind !== 'with';
const namesConversation = ({ kind }: Term): boolean => ['channel', 'topic', 'direct'].includes(kind);

/** The message whose conversation a narrow asks for. */
export const findWithId = (terms: Term[]): number | undefined =>
  terms.find((term): term is Extract<Term, { kind: 'with' }> => term.kind === 'with')?.messageId;

/**
 * A narrow whose `with` is settled: the terms of the conversation in which the message is now stand for those that
 * were written. A message that the caller may not read is overlooked where other terms name a conversation.
 * @throws BadNarrow when nothing says which conversation is meant
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
