import { hasReceived, isUnread, subscriptionsIn } from '#shared/domain/messages/access.ts';
import { callsOn } from '#shared/domain/messages/mentions.ts';
import type { MessageFacts } from '#shared/domain/messages/message.ts';
import { rareFlagChanges, readChanges, unreadChanges } from '#shared/domain/reading/changes.ts';
import type { FlagEdit } from '#shared/domain/reading/flag-edit.ts';
import { isSubscribed, type Subscription } from '#shared/domain/subscriptions/subscription.ts';
import { isMutedFor, toTopicPolicies } from '#shared/domain/topics/visibility.ts';
import type { User } from '#shared/domain/users/user.ts';
import { commit } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { ChannelViews } from '#shared/store/channels/channel-views.ts';
import { openRecipientSets } from '#shared/store/messages/recipient-sets.ts';
import { loadFlaggedBlocks, loadMarkBlocks, openMarks } from '#shared/store/reading/read-state.ts';
import { showsStar } from '#shared/store/reading/stars.ts';
import { listTopicPreferences } from '#shared/store/topics/topic-preferences.ts';
import { markBlockOf } from '#shared/table/keys/log.ts';

export interface FlagUpdate {
  /** The number of messages whose flag changed. */
  updatedCount: number;
  /** Channels that the user is not subscribed to, whose messages cannot be marked as unread, ascending. */
  ignoredChannelIds: number[];
}

/**
 * Adds a flag to messages that the user may read, or removes it. Only changes are written and announced;
 * after a conflict the call is repeated for the rest.
 * @throws Conflict
 */
export async function updateFlags(
  services: Services,
  user: User,
  edit: FlagEdit,
  messages: MessageFacts[],
  views: ChannelViews,
): Promise<FlagUpdate> {
  const { table } = services;
  const { userId } = user;
  const { flag, op } = edit;
  const marks = await openMarks(table, userId);
  const owner = { userId, marks };
  const subscriptionTo = (message: MessageFacts): Subscription | undefined =>
    message.kind === 'channel' ? views.get(message.channelId)?.subscription : undefined;
  if (flag !== 'read') {
    await loadFlaggedBlocks(table, userId, marks, flag, blocksOf(messages));
    // A star of a message that its recipient may no longer read would be in no list.
    const isHidden = (message: MessageFacts): boolean =>
      flag === 'starred' && op === 'add' && !showsStar(user, message, views);
    const changing = messages.filter(
      (message) => marks.has(flag, message.messageId) !== (op === 'add') && !isHidden(message),
    );
    await commitAll(services, rareFlagChanges(owner, { flag, op }, idsOf(changing)));
    return { updatedCount: changing.length, ignoredChannelIds: [] };
  }
  const isIgnored = (message: MessageFacts): boolean =>
    op === 'remove' && message.kind === 'channel' && !isSubscribed(subscriptionTo(message));
  const markable = messages.filter((message) => !isIgnored(message));
  await loadMarkBlocks(table, userId, marks, blocksOf(markable));
  const changing = markable.filter(
    (message) => isUnread(user, message, subscriptionsIn(views), marks) === (op === 'add'),
  );
  if (op === 'add') await commitAll(services, readChanges(owner, idsOf(changing)));
  else if (changing.length > 0) {
    const policies = toTopicPolicies(await listTopicPreferences(table, userId));
    const recipientSets = await openRecipientSets(table, changing);
    const wishesFor = (message: MessageFacts) => ({ policies, subscription: subscriptionTo(message) });
    const hearing = {
      isMuted: (message: MessageFacts) =>
        message.kind === 'channel' && isMutedFor(message, wishesFor(message)),
      isCall: (message: MessageFacts) =>
        hasReceived(user, message, subscriptionsIn(views)) &&
        callsOn(userId, message, recipientSets, wishesFor(message)),
    };
    await commitAll(services, unreadChanges(owner, changing, hearing));
  }
  return { updatedCount: changing.length, ignoredChannelIds: channelsOf(messages.filter(isIgnored)) };
}

async function commitAll(services: Services, changes: Parameters<typeof commit>[1][]): Promise<void> {
  for (const change of changes) await commit(services, change);
}

const idsOf = (messages: MessageFacts[]): number[] => messages.map(({ messageId }) => messageId);

const blocksOf = (messages: MessageFacts[]): number[] => idsOf(messages).map(markBlockOf);

const channelsOf = (messages: MessageFacts[]): number[] =>
  [...new Set(messages.flatMap((message) => (message.kind === 'channel' ? [message.channelId] : [])))].sort(
    (a, b) => a - b,
  );
