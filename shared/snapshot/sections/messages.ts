import { conversationKey } from '#shared/domain/messages/conversation.ts';
import { newestUnread } from '#shared/domain/messages/newest-unread.ts';
import { summarizeUnread } from '#shared/domain/messages/unread.ts';
import { type Marks, readUpTo } from '#shared/domain/reading/marks.ts';
import { toTopicPolicies } from '#shared/domain/topics/visibility.ts';
import { hasCapability } from '#shared/events/queue-filter.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import { listConversationSummaries } from '#shared/store/messages/conversations.ts';
import { openRecipientSets } from '#shared/store/messages/recipient-sets.ts';
import { floorOf, type Inbox, readInbox } from '#shared/store/reading/inbox.ts';
import { listStarredIds, openMarks, raiseFloor } from '#shared/store/reading/read-state.ts';
import { listReadableStars } from '#shared/store/reading/stars.ts';
import type { Loading, Section } from './section.ts';

const usesInbox = ['message', 'recent_private_conversations'];
/** A floor is raised when that saves the next reader this many positions. */
const WORTH_A_WRITE = 1_000;

/**
 * Newest message, unread messages and recent conversations, all from one read of the log; and starred
 * messages.
 */
export const messageSection: Section = async (loading) => {
  const { services, request, wants, subscriptions, position, tendedPosition } = loading;
  const { table } = services;
  const { caller } = request;
  const wantsUnread = wants('message') && wants('update_message_flags');
  const needsMarks = wantsUnread || wants('starred_messages');
  const marks = needsMarks ? await openMarks(table, caller.userId) : readUpTo(position);
  const [inbox, starred] = await Promise.all([
    usesInbox.some(wants)
      ? readInbox(
          services,
          { user: caller, subscriptions },
          wantsUnread ? marks : readUpTo(position),
          position,
          wants('recent_private_conversations') ? tendedPosition : position,
        )
      : undefined,
    wants('starred_messages') ? listStarredIds(table, caller.userId, marks) : undefined,
  ]);
  if (wantsUnread && inbox) await spareTheNext(loading, marks, inbox);
  return {
    ...(inbox && wants('message') && { max_message_id: inbox.newestMessageId }),
    ...(inbox && wantsUnread && { unread_msgs: await unreadOf(loading, inbox) }),
    ...(inbox &&
      wants('recent_private_conversations') && {
        recent_private_conversations: await listRecentConversations(loading, inbox),
      }),
    ...(starred && {
      starred_messages: await listReadableStars(table, caller, starred, loading.views),
    }),
  };
};

/** Users who only read never raise their floor themselves. This affects only the cost of the next read. */
async function spareTheNext({ services, request, position }: Loading, marks: Marks, inbox: Inbox) {
  const floor = floorOf(inbox, marks, position);
  if (floor - marks.state.floor < WORTH_A_WRITE) return;
  try {
    await raiseFloor(services.table, request.caller.userId, floor);
  } catch (failure) {
    logLine('warn', 'A read floor could not be raised', describeFailure(failure));
  }
}

async function unreadOf(
  { services, request, subscriptions, topicPreferences }: Loading,
  { unread, isUnreadPartial }: Inbox,
) {
  const { newest, isPartial } = newestUnread(unread);
  return summarizeUnread(newest, {
    userId: request.caller.userId,
    subscriptions,
    policies: toTopicPolicies(await topicPreferences()),
    allowsEmptyTopic: hasCapability(request.filter, 'empty_topic_name'),
    isPartial: isPartial || isUnreadPartial,
    recipientSets: await openRecipientSets(services.table, newest),
  });
}

/** The limit for recent conversations, at eight bytes per person. */
const MAX_CONVERSATION_PEOPLE = 40_000;

/** The first conversations of a list within this number of people. */
function within<One extends { userIds: number[] }>(conversations: One[]): One[] {
  let people = 0;
  const end = conversations.findIndex(({ userIds }) => {
    people += userIds.length + 5;
    return people > MAX_CONVERSATION_PEOPLE;
  });
  return end < 0 ? conversations : conversations.slice(0, end);
}

/**
 * The summaries may lack messages that the sweep has not processed, if a writer crashed before updating them.
 * The inbox includes these. Messages that the sweep has processed may have been updated just now.
 */
async function listRecentConversations({ services, request, position }: Loading, inbox: Inbox) {
  const { userId } = request.caller;
  const summaries = await listConversationSummaries(services.table, userId);
  const known = new Map(summaries.map((head) => [conversationKey(head.userIds), head]));
  for (const [key, head] of inbox.conversations) known.set(key, head);
  const newestFirst = [...known.values()]
    .filter(({ maxMessageId }) => 0 < maxMessageId && maxMessageId <= position)
    .sort((a, b) => b.maxMessageId - a.maxMessageId);
  return within(newestFirst).map(({ userIds, maxMessageId }) => ({
    max_message_id: maxMessageId,
    user_ids: userIds.filter((id) => id !== userId),
  }));
}
