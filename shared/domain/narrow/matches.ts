import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { DirectMessage, Message } from '#shared/domain/messages/message.ts';
import { isResolved, isSameTopic } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { isFoundIn } from '#shared/domain/search/query.ts';
import { isFollowed, isMutedFor, type TopicWishes } from '#shared/domain/topics/visibility.ts';
import { has, mentions } from './content.ts';
import type { ChannelsOperand, Criterion, IsOperand, MessageContext } from './term.ts';

/** Whether a message fulfils every term of a narrow. Whether the caller may read it is not asked here. */
export const matches = (criteria: Criterion[], message: Message, context: MessageContext): boolean =>
  criteria.every((term) => fulfils(term, message, context) !== term.isNegated);

function fulfils(term: Criterion, message: Message, context: MessageContext): boolean {
  switch (term.kind) {
    case 'channel':
      return message.kind === 'channel' && message.channelId === term.channel;
    case 'channelNamed':
      return message.kind === 'channel' && toCanonical(message.channelName) === toCanonical(term.name);
    case 'topic':
      return message.kind === 'channel' && isSameTopic(message.topic, term.topic);
    case 'sender':
      return message.senderId === term.user;
    case 'sentFrom':
      return message.senderEmail.toLowerCase() === term.email.toLowerCase();
    case 'direct':
      return message.kind === 'direct' && isConversationOf([...term.users, context.callerId], message);
    case 'directIncluding':
      return message.kind === 'direct' && includes(message, term.user, term.isGroup);
    case 'mentions':
      return mentions(message, term.user);
    case 'message':
      return message.messageId === term.messageId;
    case 'is':
      return fulfilsIs(term.operand, message, context);
    case 'flagged':
      return context.flags.includes(term.flag);
    case 'has':
      return has(message, term.operand);
    case 'channels':
      return message.kind === 'channel' && isChannelOf(term.operand, context);
    case 'search':
      return isFoundIn(term.query, message);
    case 'home':
      return !isMuted(message, context) && !context.preferences.mutedUserIds.has(message.senderId);
    case 'anything':
      return true;
  }
}

const isConversationOf = (userIds: number[], { recipients }: DirectMessage): boolean =>
  conversationKey(recipients.map(({ id }) => id)) === conversationKey(userIds);

const includes = ({ recipients }: DirectMessage, userId: number, isGroup: boolean): boolean =>
  recipients.some(({ id }) => id === userId) && (!isGroup || recipients.length > 2);

const wishesOf = ({ view, preferences }: MessageContext): TopicWishes => ({
  policies: preferences.policies,
  subscription: view?.subscription,
});

const isMuted = (message: Message, context: MessageContext): boolean =>
  message.kind === 'channel' && isMutedFor(message, wishesOf(context));

function isChannelOf(operand: ChannelsOperand, { view }: MessageContext): boolean {
  if (!view) return false;
  if (operand === 'public') return !view.channel.isPrivate;
  return operand === 'archived' ? view.channel.isArchived : view.channel.isWebPublic;
}

const MENTIONED = ['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned'];

function fulfilsIs(operand: IsOperand, message: Message, context: MessageContext): boolean {
  const { flags } = context;
  switch (operand) {
    case 'dm':
      return message.kind === 'direct';
    case 'unread':
      return !flags.includes('read');
    case 'starred':
      return flags.includes('starred');
    case 'mentioned':
      return MENTIONED.some((flag) => flags.includes(flag));
    case 'alerted':
      return flags.includes('has_alert_word');
    case 'resolved':
      return message.kind === 'channel' && isResolved(message.topic);
    case 'muted':
      return isMuted(message, context);
    case 'followed':
      return message.kind === 'channel' && isFollowed(message, wishesOf(context));
  }
}
