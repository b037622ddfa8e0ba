import { conversationKey } from '#shared/domain/messages/conversation.ts';
import type { DirectMessage, Message } from '#shared/domain/messages/message.ts';
import { isSameTopic } from '#shared/domain/messages/topic.ts';
import { RESOLVED_PREFIX } from '#shared/events/queue-narrow.ts';
import type { ChannelsOperand, IsOperand, MessageContext, ResolvedTerm } from './term.ts';

/** Whether a message fulfils every term of a narrow. Whether the caller may read it is not asked here. */
export const matches = (terms: ResolvedTerm[], message: Message, context: MessageContext): boolean =>
  terms.every((term) => fulfils(term, message, context) !== term.isNegated);

function fulfils(term: ResolvedTerm, message: Message, context: MessageContext): boolean {
  switch (term.kind) {
    case 'channel':
      return message.kind === 'channel' && message.channelId === term.channel;
    case 'topic':
      return message.kind === 'channel' && isSameTopic(message.topic, term.topic);
    case 'sender':
      return message.senderId === term.user;
    case 'direct':
      return message.kind === 'direct' && isConversationOf([...term.users, context.callerId], message);
    case 'directIncluding':
      return message.kind === 'direct' && includes(message, term.user, term.isGroup);
    case 'message':
      return message.messageId === term.messageId;
    case 'is':
      return fulfilsIs(term.operand, message, context);
    case 'channels':
      return message.kind === 'channel' && isChannelOf(term.operand, context);
    case 'home':
      return !isMuted(context);
    case 'anything':
      return true;
  }
}

const isConversationOf = (userIds: number[], { recipients }: DirectMessage): boolean =>
  conversationKey(recipients.map(({ id }) => id)) === conversationKey(userIds);

const includes = ({ recipients }: DirectMessage, userId: number, isGroup: boolean): boolean =>
  recipients.some(({ id }) => id === userId) && (!isGroup || recipients.length > 2);

const isMuted = ({ view }: MessageContext): boolean => view?.subscription?.isMuted ?? false;

function isChannelOf(operand: ChannelsOperand, { view }: MessageContext): boolean {
  if (!view) return false;
  if (operand === 'public') return !view.channel.isPrivate;
  return operand === 'archived' ? view.channel.isArchived : view.channel.isWebPublic;
}

function fulfilsIs(operand: IsOperand, message: Message, context: MessageContext): boolean {
  switch (operand) {
    case 'dm':
      return message.kind === 'direct';
    case 'unread':
      return !context.flags.includes('read');
    case 'resolved':
      return message.kind === 'channel' && message.topic.startsWith(RESOLVED_PREFIX);
    case 'muted':
      return isMuted(context);
    case 'starred':
      return context.flags.includes('starred');
    // Nothing in the service sets these yet.
    case 'mentioned':
    case 'alerted':
    case 'followed':
      return false;
  }
}
