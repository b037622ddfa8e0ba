import { conversationKey } from '#shared/domain/messages/conversation.ts';
import { summarizeUnread } from '#shared/domain/messages/unread.ts';
import { toTopicPolicies } from '#shared/domain/topics/visibility.ts';
import { hasCapability } from '#shared/events/queue-filter.ts';
import { listConversationHeads } from '#shared/store/conversations.ts';
import { findReadFloor } from '#shared/store/read-state.ts';
import { type Inbox, readInbox } from '../inbox.ts';
import type { Loading, Section } from './section.ts';

const usesInbox = ['message', 'recent_private_conversations'];

/** Newest message, unread messages and recent conversations, all from one look at the log. */
export const messageSection: Section = async (loading) => {
  const { services, request, wants, subscriptions, position } = loading;
  if (!usesInbox.some(wants)) return {};
  const { table } = services;
  const { caller } = request;
  const wantsUnread = wants('message') && wants('update_message_flags');
  const readFloor = wantsUnread ? await findReadFloor(table, caller.userId) : position;
  const inbox = await readInbox(table, { user: caller, subscriptions, readFloor }, position);
  return {
    ...(wants('message') && { max_message_id: inbox.newestMessageId }),
    ...(wantsUnread && { unread_msgs: await unreadOf(loading, inbox) }),
    ...(wants('recent_private_conversations') && {
      recent_private_conversations: await listRecentConversations(loading, inbox),
    }),
  };
};

const unreadOf = async ({ request, subscriptions, topicPreferences }: Loading, inbox: Inbox) =>
  summarizeUnread(inbox.unread, {
    userId: request.caller.userId,
    subscriptions,
    policies: toTopicPolicies(await topicPreferences()),
    allowsEmptyTopic: hasCapability(request.filter, 'empty_topic_name'),
    isPartial: inbox.isUnreadPartial,
  });

/** The heads may lag behind the log by what was sent just now, which the inbox has seen. */
async function listRecentConversations({ services, request, position }: Loading, inbox: Inbox) {
  const { userId } = request.caller;
  const heads = await listConversationHeads(services.table, userId);
  const known = new Map(heads.map((head) => [conversationKey(head.userIds), head]));
  for (const [key, head] of inbox.conversations) known.set(key, head);
  return [...known.values()]
    .filter(({ maxMessageId }) => maxMessageId <= position)
    .sort((a, b) => b.maxMessageId - a.maxMessageId)
    .map(({ userIds, maxMessageId }) => ({
      max_message_id: maxMessageId,
      user_ids: userIds.filter((id) => id !== userId),
    }));
}
