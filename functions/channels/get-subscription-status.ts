import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { isSubscribed } from '#shared/domain/subscriptions/subscription.ts';
import { getChannelView } from '#shared/store/channels/channels.ts';
import { findSubscription } from '#shared/store/channels/subscriptions.ts';
import { getSeenUser } from '#shared/store/visibility/visible-users.ts';

/** Whether a user is subscribed to a channel visible to the caller. */
export const getSubscriptionStatus = endpoint({
  route: 'GET /users/{user_id}/subscriptions/{stream_id}',
  summary: 'Check whether a user is subscribed to a channel',
  allow: 'user',
  scope: 'read',
  needs: ['knowChannel'],
  params: { user_id: json(z.int(), 'The user'), stream_id: json(z.int(), 'The channel') },
  result: z.object({ is_subscribed: z.boolean() }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read' },
  async handle(params, { services: { table }, caller }) {
    const { userId } = await getSeenUser(table, caller, params.user_id);
    const { channel } = await getChannelView(table, caller, params.stream_id);
    const subscription = await findSubscription(table, userId, channel.channelId);
    return { is_subscribed: isSubscribed(subscription) };
  },
});

export const handler = lambda(getSubscriptionStatus, awsServices);
