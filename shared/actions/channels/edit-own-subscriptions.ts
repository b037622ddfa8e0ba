import { groupSettingsOf, mayKnow } from '#shared/domain/channels/permissions.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { type PropertyEdit, propertiesChange } from '#shared/domain/subscriptions/properties.ts';
import { isSubscribed, type Subscription } from '#shared/domain/subscriptions/subscription.ts';
import type { User } from '#shared/domain/users/user.ts';
import { commit } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { type ChannelViews, loadChannelViews } from '#shared/store/channels/channel-views.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import type { Table } from '#shared/table/table.ts';

/**
 * Changes properties of a user's subscriptions; all or none.
 * @throws BadRequest for a channel that is hidden from the user or not subscribed
 */
export async function editOwnSubscriptions(
  services: Services,
  user: User,
  edits: PropertyEdit[],
): Promise<void> {
  const channelIds = [...new Set(edits.map(({ channelId }) => channelId))];
  const subscriptions = await getSubscriptions(services.table, user, channelIds);
  const change = propertiesChange(subscriptions, edits);
  if (change) await commit(services, change);
}

async function getSubscriptions(table: Table, user: User, channelIds: number[]): Promise<Subscription[]> {
  const views: ChannelViews = new Map();
  await loadChannelViews(table, user.userId, views, channelIds);
  await learnMemberships(
    table,
    user,
    [...views.values()].flatMap(({ channel }) => groupSettingsOf(channel)),
  );
  return channelIds.map((channelId) => {
    const view = views.get(channelId);
    if (!view || !mayKnow(user, view)) throw new BadRequest('Invalid channel ID');
    if (!view.subscription || !isSubscribed(view.subscription))
      throw new BadRequest(`Not subscribed to channel ID ${channelId}`);
    return view.subscription;
  });
}
