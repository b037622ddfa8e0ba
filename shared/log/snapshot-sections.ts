import { toChannelRecord } from '#shared/domain/channels/channel.ts';
import { mayKnow } from '#shared/domain/channels/permissions.ts';
import type { ChannelView } from '#shared/domain/messages/access.ts';
import { conversationKey } from '#shared/domain/messages/conversation.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from '#shared/domain/messages/topic.ts';
import { summarizeUnread } from '#shared/domain/messages/unread.ts';
import { describeRealm } from '#shared/domain/organization/realm-data.ts';
import { toScheduledRecord } from '#shared/domain/scheduled/scheduled-message.ts';
import { describeUserSettings } from '#shared/domain/settings/user-settings.ts';
import { isSubscribed, type Subscription } from '#shared/domain/subscriptions/subscription.ts';
import { describeUsers } from '#shared/domain/users/register-data.ts';
import { type Account, isGuest } from '#shared/domain/users/user.ts';
import { hasCapability, type QueueFilter } from '#shared/events/queue-filter.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listChannelViews } from '#shared/store/channels.ts';
import { listConversationHeads } from '#shared/store/conversations.ts';
import { getOrganization } from '#shared/store/organization.ts';
import { findReadFloor } from '#shared/store/read-state.ts';
import { listScheduledMessages } from '#shared/store/scheduled-messages.ts';
import { listUsers } from '#shared/store/users.ts';
import { describeSubscriptions, describeViews } from './describe-channels.ts';
import { type Inbox, readInbox } from './inbox.ts';

export interface SnapshotRequest {
  caller: Account;
  filter: QueueFilter;
  /** null asks for everything. */
  fetchTypes: string[] | null;
  includeSubscribers: 'true' | 'false' | 'partial';
}

export interface Sections {
  fields: Record<string, unknown>;
  /** The caller's subscriptions as the sections saw them. */
  subscriptions: Map<number, Subscription>;
}

/** What several sections need. */
interface Loading {
  services: Services;
  request: SnapshotRequest;
  wants: (type: string) => boolean;
  views: ChannelView[];
  subscriptions: Map<number, Subscription>;
}

/** The parts of the register reply that were asked for, with messages up to a position. */
export async function loadSections(
  services: Services,
  request: SnapshotRequest,
  position: number,
): Promise<Sections> {
  const { caller, fetchTypes } = request;
  const wants = (type: string): boolean => fetchTypes === null || fetchTypes.includes(type);
  const views = await listChannelViews(services.table, caller.userId);
  const subscriptions = new Map(
    views.flatMap(({ channel, subscription }) => (subscription ? [[channel.channelId, subscription]] : [])),
  );
  const loading: Loading = { services, request, wants, views, subscriptions };
  const sections = await Promise.all([
    messageSection(loading, position),
    channelSection(loading),
    organizationSection(loading),
    userSection(loading),
    scheduledSection(loading),
  ]);
  return { fields: Object.assign({}, ...sections), subscriptions };
}

const usesInbox = ['message', 'recent_private_conversations'];

async function messageSection(loading: Loading, position: number): Promise<Record<string, unknown>> {
  const { services, request, wants, subscriptions } = loading;
  if (!usesInbox.some(wants)) return {};
  const { table } = services;
  const { caller } = request;
  const wantsUnread = wants('message') && wants('update_message_flags');
  const readFloor = wantsUnread ? await findReadFloor(table, caller.userId) : position;
  const inbox = await readInbox(table, { user: caller, subscriptions, readFloor }, position);
  return {
    ...(wants('message') && { max_message_id: inbox.newestMessageId }),
    ...(wantsUnread && { unread_msgs: unreadOf(loading, inbox) }),
    ...(wants('recent_private_conversations') && {
      recent_private_conversations: await listRecentConversations(loading, inbox, position),
    }),
  };
}

const unreadOf = ({ request, subscriptions }: Loading, inbox: Inbox) =>
  summarizeUnread(inbox.unread, {
    userId: request.caller.userId,
    subscriptions,
    allowsEmptyTopic: hasCapability(request.filter, 'empty_topic_name'),
    isPartial: inbox.isUnreadPartial,
  });

/** The heads may lag behind the log by what was sent just now, which the inbox has seen. */
async function listRecentConversations({ services, request }: Loading, inbox: Inbox, position: number) {
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

async function channelSection({
  services,
  request,
  wants,
  views,
}: Loading): Promise<Record<string, unknown>> {
  const { caller, filter, includeSubscribers } = request;
  const nowSeconds = toSeconds(services.clock.nowMs());
  const options = {
    includeSubscribers,
    allowsNullNotifications: hasCapability(filter, 'notification_settings_null'),
    includesArchived: hasCapability(filter, 'archived_channels'),
  };
  const known = views
    .filter((view) => mayKnow(caller, view))
    .map(({ channel }) => channel)
    .filter(({ isArchived }) => options.includesArchived || !isArchived);
  const isKnown = new Set(known.map(({ channelId }) => channelId));
  const current = views.filter(({ subscription }) => isSubscribed(subscription));
  const others = views.filter(
    ({ channel, subscription }) => !isSubscribed(subscription) && isKnown.has(channel.channelId),
  );
  const [subscribed, unsubscribed, neverSubscribed] = wants('subscription')
    ? await Promise.all([
        describeSubscriptions(services, current, options),
        describeSubscriptions(
          services,
          others.filter(({ subscription }) => subscription),
          options,
        ),
        describeViews(
          services,
          others.filter(({ subscription }) => !subscription),
          options,
        ),
      ])
    : [];
  return {
    ...(wants('subscription') && {
      subscriptions: subscribed,
      unsubscribed,
      never_subscribed: neverSubscribed,
    }),
    ...(wants('stream') && { streams: known.map((channel) => toChannelRecord(channel, nowSeconds)) }),
  };
}

async function organizationSection({ services, request, wants }: Loading): Promise<Record<string, unknown>> {
  if (!wants('realm') && !wants('default_streams')) return {};
  const organization = await getOrganization(services.table);
  const defaultChannels = isGuest(request.caller) ? [] : [...(organization.defaultChannels ?? [])];
  return {
    ...(wants('realm') && describeRealm(organization)),
    ...(wants('default_streams') && { realm_default_streams: defaultChannels.sort((a, b) => a - b) }),
  };
}

async function userSection({ services, request, wants }: Loading): Promise<Record<string, unknown>> {
  const { caller, filter } = request;
  return {
    ...(wants('realm_user') && describeUsers(caller, await listUsers(services.table), filter.clientGravatar)),
    ...(wants('user_settings') && { user_settings: describeUserSettings() }),
  };
}

async function scheduledSection({ services, request, wants }: Loading): Promise<Record<string, unknown>> {
  if (!wants('scheduled_messages')) return {};
  const scheduled = await listScheduledMessages(services.table, request.caller.userId);
  const allowsEmptyTopic = hasCapability(request.filter, 'empty_topic_name');
  const records = scheduled
    .map(toScheduledRecord)
    .map((record) =>
      'topic' in record && record.topic === '' && !allowsEmptyTopic
        ? { ...record, topic: EMPTY_TOPIC_DISPLAY_NAME }
        : record,
    );
  return { scheduled_messages: records };
}
