import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { includeSubscribers } from '#shared/api/contracts/include-subscribers.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { subscriptionRecord } from '#shared/api/schemas.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import type { ChannelView } from '#shared/domain/messages/access.ts';
import { isSubscribed } from '#shared/domain/subscriptions/subscription.ts';
import { describeSubscriptions, loadAlwaysNamed } from '#shared/snapshot/describe-channels.ts';
import { listChannelViews } from '#shared/store/channels/channels.ts';
import { openSubscriberLists } from '#shared/store/channels/subscriptions.ts';

/** The channels that the caller is subscribed to. */
export const listSubscriptions = endpoint({
  route: 'GET /users/me/subscriptions',
  summary: 'List own subscriptions',
  allow: 'user',
  scope: 'read',
  params: { include_subscribers: includeSubscribers },
  result: z.object({ subscriptions: z.array(subscriptionRecord) }),
  errors: [],
  emits: [],
  uses: { table: 'read' },
  async handle(params, { services, caller }) {
    const views = await listChannelViews(services.table, caller.userId);
    const current = views.filter(({ subscription }) => isSubscribed(subscription));
    const subscriptions = await describeSubscriptions(current, {
      includeSubscribers: params.include_subscribers,
      inherited: null,
      includesArchived: false,
      subscribersOf: openSubscriberLists(services.table, views.map(channelOf), current.map(channelOf)),
      alwaysNamed: loadAlwaysNamed(services),
    });
    return { subscriptions };
  },
});

const channelOf = ({ channel }: ChannelView): Channel => channel;

export const handler = lambda(listSubscriptions, awsServices);
