import * as z from 'zod/mini';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { groupSettingsOf, mayKnow } from '#shared/domain/channels/permissions.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { propertiesChange, readPropertyEdit } from '#shared/domain/subscriptions/properties.ts';
import { isSubscribed, type Subscription } from '#shared/domain/subscriptions/subscription.ts';
import type { User } from '#shared/domain/users/user.ts';
import { commit } from '#shared/log/commit.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { type ChannelViews, loadChannelViews } from '#shared/store/channel-views.ts';
import { learnMemberships } from '#shared/store/groups.ts';
import type { Table } from '#shared/table/table.ts';

/** One transaction holds no more, and nobody changes more at once by hand. */
const MAX_CHANNELS = 80;
const MAX_EDITS = 1000;

/** Changes how channels look and sound to the caller; all of it or nothing. */
export const editSubscriptionProperties = endpoint({
  route: 'POST /users/me/subscriptions/properties',
  summary: 'Edit settings of own subscriptions',
  allow: 'user',
  needs: ['useOwn'],
  params: {
    subscription_data: json(
      z.array(
        z.object({ stream_id: z.int(), property: z.string(), value: z.union([z.boolean(), z.string()]) }),
      ),
      'Channels, each with a property and its value',
    ),
  },
  result: nothing,
  errors: [BadRequest],
  emits: ['subscription/update'],
  uses: { table: 'write' },
  async handle({ subscription_data }, { services, caller }) {
    const edits = subscription_data
      .slice(0, MAX_EDITS)
      .map(({ stream_id: channelId, property, value }) => readPropertyEdit({ channelId, property, value }));
    const channelIds = [...new Set(edits.map(({ channelId }) => channelId))];
    if (subscription_data.length > MAX_EDITS || channelIds.length > MAX_CHANNELS)
      throw new BadRequest(`Too many channels in one request (maximum ${MAX_CHANNELS}).`);
    const subscriptions = await getSubscriptions(services.table, caller, channelIds);
    const change = propertiesChange(subscriptions, edits);
    if (change) await commit(services, change);
    return {};
  },
});

export const handler = lambda(editSubscriptionProperties, awsServices);

/** @throws BadRequest for a channel that the user may not know of or is not subscribed to */
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
