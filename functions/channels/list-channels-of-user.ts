import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { groupSettingsOf, mayKnow } from '#shared/domain/channels/permissions.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { isSubscribed } from '#shared/domain/subscriptions/subscription.ts';
import { type ChannelViews, loadChannelViews } from '#shared/store/channels/channel-views.ts';
import { listSubscriptions } from '#shared/store/channels/subscriptions.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import { getSeenUser } from '#shared/store/visibility/visible-users.ts';

/** The channels that a user is subscribed to, as far as they are visible to the caller. */
export const listChannelsOfUser = endpoint({
  route: 'GET /users/{user_id}/channels',
  summary: 'List the channels of a user',
  allow: 'user',
  scope: 'read',
  params: { user_id: json(z.int(), 'The user') },
  result: z.object({ subscribed_channel_ids: z.array(z.int()) }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read' },
  async handle(params, { services: { table }, caller }) {
    const { userId } = await getSeenUser(table, caller, params.user_id);
    const channelIds = (await listSubscriptions(table, userId))
      .filter(isSubscribed)
      .map(({ channelId }) => channelId);
    const views: ChannelViews = new Map();
    await loadChannelViews(table, caller.userId, views, channelIds);
    await learnMemberships(
      table,
      caller,
      [...views.values()].flatMap(({ channel }) => groupSettingsOf(channel)),
    );
    const known = channelIds.filter((channelId) => {
      const view = views.get(channelId);
      return view && mayKnow(caller, view);
    });
    return { subscribed_channel_ids: known };
  },
});

export const handler = lambda(listChannelsOfUser, awsServices);
