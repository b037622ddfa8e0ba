import * as z from 'zod/mini';
import { countPairs } from '#shared/actions/channels/count-within-day.ts';
import { getChannelsToLeave, toNames, unsubscribeUsers } from '#shared/actions/channels/unsubscribing.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional } from '#shared/api/parameters.ts';
import { BadRequest, ChannelDoesNotExist } from '#shared/domain/errors.ts';
import { requireFeasible } from '#shared/domain/subscriptions/limits.ts';
import { resolvePrincipals } from '#shared/store/users/principals.ts';

/** Unsubscribes the caller or others from channels by name. */
export const unsubscribe = endpoint({
  route: 'DELETE /users/me/subscriptions',
  summary: 'Unsubscribe from channels',
  allow: 'user',
  scope: 'organize',
  needs: ['knowChannel'],
  params: {
    subscriptions: json(z.array(z.string()), 'Channel names'),
    principals: optional(
      json(
        z.union([z.array(z.int()), z.array(z.string())]),
        'User ids or e-mail addresses; the caller when absent',
      ),
    ),
  },
  result: z.object({ removed: z.array(z.string()), not_removed: z.array(z.string()) }),
  errors: [BadRequest, ChannelDoesNotExist],
  emits: [
    'subscription/remove',
    'subscription/peer_remove',
    'stream/delete',
    'update_message_flags/add',
    'realm_user/remove',
    'realm_user/add',
  ],
  uses: { table: 'write', bus: true },
  timeoutSeconds: 29,
  async handle(params, { services, caller }) {
    const names = toNames(params.subscriptions);
    requireFeasible(names.length, params.principals);
    const { principals } = params;
    return countPairs(services, caller, { channels: names.length, principals }, async () => {
      const users = await resolvePrincipals(services.table, caller, principals);
      const channels = await getChannelsToLeave(services, caller, users, names);
      const { removed, notRemoved } = await unsubscribeUsers(services, users, channels);
      return { removed, not_removed: notRemoved };
    });
  },
});

export const handler = lambda(unsubscribe, awsServices);
