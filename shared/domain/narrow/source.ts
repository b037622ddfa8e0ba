import { limits } from '#shared/domain/channels/channel.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { isSameTopic } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { SearchQuery } from '#shared/domain/search/query.ts';
import type { IsOperand, ResolvedTerm } from './term.ts';

/** The smallest collection of messages that certainly contains all matches of a narrow. */
export type MessageSource =
  | { kind: 'message'; messageId: number }
  | { kind: 'conversation'; userIds: number[] }
  /** The caller's direct conversations, or those with a certain participant. */
  | { kind: 'conversations'; withUserId: number | undefined }
  | { kind: 'topic'; channelId: number; topic: string }
  | { kind: 'channel'; channelId: number }
  /** The caller's starred messages. */
  | { kind: 'starred' }
  | { kind: 'log' }
  /** A narrow that cannot match. */
  | { kind: 'nothing' };

/** Longer than any topic in any spelling; longer texts would not fit into a key. */
const MAX_TOPIC_CODE_UNITS = 6 * limits.topic;

export function chooseSource(terms: ResolvedTerm[], callerId: number): MessageSource {
  const message = findTerm(terms, 'message');
  if (message) return { kind: 'message', messageId: message.messageId };
  const direct = findTerm(terms, 'direct');
  if (direct) return { kind: 'conversation', userIds: [...direct.users, callerId] };
  if (hasIs(terms, 'starred')) return { kind: 'starred' };
  const channel = findTerm(terms, 'channel');
  const topic = findTerm(terms, 'topic');
  if (topic && toCanonical(topic.topic).length > MAX_TOPIC_CODE_UNITS) return { kind: 'nothing' };
  if (channel && topic) return { kind: 'topic', channelId: channel.channel, topic: topic.topic };
  if (channel) return { kind: 'channel', channelId: channel.channel };
  const withUser = findTerm(terms, 'directIncluding');
  if (withUser || hasIs(terms, 'dm')) return { kind: 'conversations', withUserId: withUser?.user };
  return { kind: 'log' };
}

/** Whether a message belongs to a source, as far as the message alone shows. */
export function isInSource(source: MessageSource, message: Message): boolean {
  switch (source.kind) {
    case 'message':
      return message.messageId === source.messageId;
    case 'conversation':
      return (
        message.kind === 'direct' &&
        conversationKey(message.recipients.map(({ id }) => id)) === conversationKey(source.userIds)
      );
    case 'conversations':
      return message.kind === 'direct';
    case 'topic':
      return (
        message.kind === 'channel' &&
        message.channelId === source.channelId &&
        isSameTopic(message.topic, source.topic)
      );
    case 'channel':
      return message.kind === 'channel' && message.channelId === source.channelId;
    // A message does not contain whether it is starred.
    case 'starred':
    case 'log':
      return true;
    case 'nothing':
      return false;
  }
}

/**
 * Whether messages that the caller never received are searched too: messages of a named channel or of all public
 * ones, unless a term requires received messages.
 */
export const includesHistory = (terms: ResolvedTerm[]): boolean =>
  terms.some((term) => !term.isNegated && opensHistory(term)) && !terms.some(isAboutFlags);

const opensHistory = (term: ResolvedTerm): boolean =>
  term.kind === 'channel' || (term.kind === 'channels' && term.operand !== 'archived');

const isAboutFlags = (term: ResolvedTerm): boolean =>
  term.kind === 'is' && term.operand !== 'resolved' && !isAboutTopics(term.operand);

const isAboutTopics = (operand: IsOperand): boolean => operand === 'followed' || operand === 'muted';

/** Whether a term depends on topics and users that the caller mutes or follows. */
export const asksForPreferences = (terms: ResolvedTerm[]): boolean =>
  terms.some((term) => term.kind === 'home' || (term.kind === 'is' && isAboutTopics(term.operand)));

/** Whether a term depends on reactions, which are stored outside the messages. */
export const asksForReactions = (terms: ResolvedTerm[]): boolean =>
  terms.some((term) => term.kind === 'has' && term.operand === 'reaction');

/** The search queries of a narrow; undefined without search terms. Negated searches are not highlighted. */
export function queriesOf(terms: ResolvedTerm[]): SearchQuery[] | undefined {
  const searches = terms.filter((term) => term.kind === 'search');
  if (searches.length === 0) return undefined;
  return searches.filter(({ isNegated }) => !isNegated).map(({ query }) => query);
}

export const hasIs = (terms: ResolvedTerm[], operand: string): boolean =>
  terms.some((term) => term.kind === 'is' && term.operand === operand && !term.isNegated);

const findTerm = <Kind extends ResolvedTerm['kind']>(terms: ResolvedTerm[], kind: Kind) =>
  terms.find((term): term is Extract<ResolvedTerm, { kind: Kind }> => term.kind === kind && !term.isNegated);
