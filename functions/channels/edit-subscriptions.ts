import * as z from 'zod/mini';
import { subscribeUsers } from '#shared/actions/channels/subscribing.ts';
import { getChannelsToLeave, toNames, unsubscribeUsers } from '#shared/actions/channels/unsubscribing.ts';
import {
  channelObjects,
  namesByUser,
  plainSettings,
  readRequests,
} from '#shared/api/contracts/subscriptions.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, withDefault } from '#shared/api/parameters.ts';
import { BadRequest, ChannelDoesNotExist, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { requireFeasible } from '#shared/domain/subscriptions/limits.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';

/**
 * Subscribes the caller to channels and unsubscribes them from others. Fails without effect when a channel
 * cannot be left.
 */
export const editSubscriptions = endpoint({
  route: 'PATCH /users/me/subscriptions',
  summary: 'Subscribe to channels and unsubscribe from others',
  allow: 'user',
  scope: 'organize',
  needs: ['createPublicChannel'],
  params: {
    add: withDefault(channelObjects, []),
    delete: withDefault(json(z.array(z.string()), 'Names of channels to leave'), []),
  },
  result: z.object({
    subscribed: z.record(z.string(), z.array(z.string())),
    already_subscribed: z.record(z.string(), z.array(z.string())),
    removed: z.array(z.string()),
    not_removed: z.array(z.string()),
  }),
  errors: [BadRequest, ChannelDoesNotExist, UnauthorizedPrincipal],
  emits: [
    'stream/create',
    'stream/delete',
    'subscription/add',
    'subscription/peer_add',
    'subscription/peer_remove',
    'subscription/remove',
    'message',
    'update_message_flags/add',
    'realm_user/add',
    'realm_user/remove',
    'stream/update',
  ],
  uses: { table: 'write', areas: ['messages', 'uploads'], bus: true },
  timeoutSeconds: 29,
  async handle(params, { services, caller }) {
    const requests = readRequests(params.add, 'add');
    const names = toNames(params.delete);
    if (requests.length + names.length === 0)
      throw new BadRequest('Nothing to do. Specify at least one of "add" or "delete".');
    requireFeasible(requests.length + names.length);
    const users = [caller];
    const channels = await getChannelsToLeave(services, caller, users, names);
    const { done, already } = await subscribeUsers({
      services,
      caller,
      requests,
      settings: plainSettings,
      users,
      options: { isFatal: true, isCreation: false, announces: false },
      answer: (outcome) => outcome,
    });
    const { removed, notRemoved } = await unsubscribeUsers(services, users, channels);
    return {
      subscribed: namesByUser(done.map(({ user, target }) => [user.userId, target.channel.name])),
      already_subscribed: namesByUser(already),
      removed,
      not_removed: notRemoved,
    };
  },
});

export const handler = lambda(editSubscriptions, awsServices);
