import { UNKNOWN_SENDER } from '#shared/domain/messages/block-summary.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { Message, MessageFacts } from '#shared/domain/messages/message.ts';
import { isResolved, isSameTopic } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { isFoundIn } from '#shared/domain/search/query.ts';
import { isFollowed, isMutedFor, type TopicWishes } from '#shared/domain/topics/visibility.ts';
import { has, mayMention, mentions } from './content.ts';
import type { ChannelsOperand, Criterion, IsOperand, MessageContext, PlaceContext } from './term.ts';

/** Whether a message matches every term of a narrow. The caller's right to read it is checked elsewhere. */
export const matches = (criteria: Criterion[], message: Message, context: MessageContext): boolean =>
  criteria.every((term) => fulfils(term, message, context) !== term.isNegated);

/** The same from place and mentions only: false when the message cannot match all terms. */
export const mayMatch = (criteria: Criterion[], facts: MessageFacts, context: PlaceContext): boolean =>
  criteria.every((term) => (fulfilsByFacts(term, facts, context) ?? !term.isNegated) !== term.isNegated);

function fulfilsByFacts(term: Criterion, facts: MessageFacts, context: PlaceContext): boolean | undefined {
  const isSelfAsked = term.kind === 'is' && term.operand === 'mentioned';
  if (isSelfAsked && !mayMention(facts, context.callerId)) return false;
  return fulfilsByPlace(term, facts, context);
}

const fulfils = (term: Criterion, message: Message, context: MessageContext): boolean =>
  fulfilsByPlace(term, message, context) ?? fulfilsItself(term, message, context);

/** Whether place and mentions satisfy a term; undefined when they do not decide. */
function fulfilsByPlace(term: Criterion, facts: MessageFacts, context: PlaceContext): boolean | undefined {
  switch (term.kind) {
    case 'channel':
      return facts.kind === 'channel' && facts.channelId === term.channel;
    case 'topic':
      return facts.kind === 'channel' && isSameTopic(facts.topic, term.topic);
    case 'sender':
      return facts.senderId === UNKNOWN_SENDER ? undefined : facts.senderId === term.user;
    case 'direct':
      return facts.kind === 'direct' && isConversationOf([...term.users, context.callerId], facts);
    case 'directIncluding':
      return facts.kind === 'direct' && includes(facts, term.user, term.isGroup);
    case 'mentions':
      return mentions(facts, term.user);
    case 'message':
      return facts.messageId === term.messageId;
    case 'is':
      return fulfilsIsByPlace(term.operand, facts, context);
    case 'channels':
      return facts.kind === 'channel' && isChannelOf(term.operand, context);
    case 'inChannels':
      return facts.kind === 'channel';
    case 'home':
      if (isMuted(facts, context)) return false;
      return facts.senderId === UNKNOWN_SENDER
        ? undefined
        : !context.preferences.mutedUserIds.has(facts.senderId);
    case 'anything':
      return true;
    default:
      return undefined;
  }
}

/** Terms about the content of a message, or about the caller's flags. */
function fulfilsItself(term: Criterion, message: Message, { flags }: MessageContext): boolean {
  switch (term.kind) {
    case 'channelNamed':
      return message.kind === 'channel' && toCanonical(message.channelName) === toCanonical(term.name);
    case 'sentFrom':
      return message.senderEmail.toLowerCase() === term.email.toLowerCase();
    case 'is':
      return fulfilsIsByFlags(term.operand, flags);
    case 'flagged':
      return flags.includes(term.flag);
    case 'has':
      return has(message, term.operand);
    case 'search':
      return isFoundIn(term.query, message);
    default:
      return false;
  }
}

type DirectFacts = Extract<MessageFacts, { kind: 'direct' }>;

const isConversationOf = (userIds: number[], { recipients }: DirectFacts): boolean =>
  conversationKey(recipients.map(({ id }) => id)) === conversationKey(userIds);

const includes = ({ recipients }: DirectFacts, userId: number, isGroup: boolean): boolean =>
  recipients.some(({ id }) => id === userId) && (!isGroup || recipients.length > 2);

const wishesOf = ({ view, preferences }: PlaceContext): TopicWishes => ({
  policies: preferences.policies,
  subscription: view?.subscription,
});

const isMuted = (facts: MessageFacts, context: PlaceContext): boolean =>
  facts.kind === 'channel' && isMutedFor(facts, wishesOf(context));

function isChannelOf(operand: ChannelsOperand, { view }: PlaceContext): boolean {
  const channel = view?.channel;
  if (!channel) return false;
  if (operand === 'public') return !channel.isPrivate;
  return operand === 'archived' ? channel.isArchived : channel.isWebPublic;
}

function fulfilsIsByPlace(
  operand: IsOperand,
  facts: MessageFacts,
  context: PlaceContext,
): boolean | undefined {
  switch (operand) {
    case 'dm':
      return facts.kind === 'direct';
    case 'resolved':
      return facts.kind === 'channel' && isResolved(facts.topic);
    case 'muted':
      return isMuted(facts, context);
    case 'followed':
      return facts.kind === 'channel' && isFollowed(facts, wishesOf(context));
    case 'unread':
      return context.isUnread;
    default:
      return undefined;
  }
}

const MENTIONED = ['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned'];

function fulfilsIsByFlags(operand: IsOperand, flags: string[]): boolean {
  switch (operand) {
    case 'unread':
      return !flags.includes('read');
    case 'starred':
      return flags.includes('starred');
    case 'mentioned':
      return MENTIONED.some((flag) => flags.includes(flag));
    case 'alerted':
      return flags.includes('has_alert_word');
    default:
      return false;
  }
}
