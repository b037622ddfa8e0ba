import * as z from 'zod/mini';
import { countPairs } from '#shared/actions/channels/count-within-day.ts';
import { subscribeUsers } from '#shared/actions/channels/subscribing.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import {
  namesByUser,
  readRequests,
  readSettings,
  subscribeParameters,
} from '#shared/api/contracts/subscriptions.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { isFewEnoughToTell } from '#shared/domain/channels/announcements.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { requireFeasible } from '#shared/domain/subscriptions/limits.ts';
import { isGuest } from '#shared/domain/users/user.ts';
import { resolvePrincipals } from '#shared/store/users/principals.ts';

/** Subscribes the caller or others to channels by name, creating missing channels. */
export const subscribe = endpoint({
  route: 'POST /users/me/subscriptions',
  summary: 'Subscribe to channels, creating missing ones',
  allow: 'user',
  scope: 'organize',
  creates: true,
  needs: ['createPublicChannel'],
  params: subscribeParameters,
  result: z.object({
    subscribed: z.record(z.string(), z.array(z.string())),
    already_subscribed: z.record(z.string(), z.array(z.string())),
    unauthorized: z.optional(z.array(z.string())),
    new_subscription_messages_sent: z.optional(z.boolean()),
  }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: [
    'stream/create',
    'subscription/add',
    'subscription/peer_add',
    'default_streams',
    'message',
    'realm_user/add',
    'stream/update',
    'user_status',
    'presence',
  ],
  uses: { table: 'write', areas: ['messages', 'uploads'], bus: true },
  timeoutSeconds: 29,
  async handle(params, { services, caller, retry }) {
    requireFeasible(params.subscriptions.length, params.principals);
    const { principals } = params;
    return countPairs(services, caller, { channels: params.subscriptions.length, principals }, async () => {
      const requests = readRequests(params.subscriptions);
      const settings = readSettings(params);
      const users = await resolvePrincipals(services.table, caller, params.principals);
      if (isGuest(caller) && users.some(({ userId }) => userId !== caller.userId))
        throw new UnauthorizedPrincipal('member');
      return subscribeUsers({
        services,
        retry,
        caller,
        requests,
        settings,
        users,
        options: {
          isFatal: params.authorization_errors_fatal,
          isCreation: false,
          announces: params.announce,
          tellsPeople: params.send_new_subscription_messages,
        },
        answer: ({ done, already, unauthorized }) => ({
          subscribed: namesByUser(done.map(({ user, target }) => [user.userId, target.channel.name])),
          already_subscribed: namesByUser(already),
          ...(!params.authorization_errors_fatal && { unauthorized }),
          ...(params.send_new_subscription_messages && {
            new_subscription_messages_sent: isFewEnoughToTell(done),
          }),
        }),
      });
    });
  },
});

export const handler = lambda(subscribe, awsServices);
