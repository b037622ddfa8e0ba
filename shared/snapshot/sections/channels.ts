import { toChannelRecord } from '#shared/domain/channels/channel.ts';
import { toFolderRecords } from '#shared/domain/channels/folders.ts';
import { mayKnow } from '#shared/domain/channels/permissions.ts';
import { isSubscribed } from '#shared/domain/subscriptions/subscription.ts';
import { hasCapability } from '#shared/events/queue-filter.ts';
import { needsOwnSettings } from '#shared/events/shapers/subscriptions.ts';
import { describeSubscriptions, describeViews, loadAlwaysNamed } from '#shared/snapshot/describe-channels.ts';
import { listFolders } from '#shared/store/channels/folders.ts';
import { openSubscriberLists } from '#shared/store/channels/subscriptions.ts';
import type { Section } from './section.ts';

/** All channels visible to the caller, by the caller's relation to each. */
export const channelSection: Section = async ({ services, request, wants, views, ownSettings }) => {
  const { caller, filter, includeSubscribers } = request;
  const inherits = wants('subscription') && needsOwnSettings(filter);
  const includesArchived = hasCapability(filter, 'archived_channels');
  const known = views
    .filter((view) => mayKnow(caller, view))
    .map(({ channel }) => channel)
    .filter(({ isArchived }) => includesArchived || !isArchived);
  const all = views.map(({ channel }) => channel);
  const options = {
    includeSubscribers,
    inherited: inherits ? await ownSettings() : null,
    includesArchived,
    subscribersOf: openSubscriberLists(services.table, all, known),
    alwaysNamed: loadAlwaysNamed(services),
  };
  const isKnown = new Set(known.map(({ channelId }) => channelId));
  const current = views.filter(({ subscription }) => isSubscribed(subscription));
  const others = views.filter(
    ({ channel, subscription }) => !isSubscribed(subscription) && isKnown.has(channel.channelId),
  );
  const [subscribed, unsubscribed, neverSubscribed] = wants('subscription')
    ? await Promise.all([
        describeSubscriptions(current, options),
        describeSubscriptions(
          others.filter(({ subscription }) => subscription),
          options,
        ),
        describeViews(
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
    ...(wants('channel_folders') && { channel_folders: toFolderRecords(await listFolders(services.table)) }),
    ...(wants('stream') && { streams: known.map((channel) => toChannelRecord(channel)) }),
  };
};
