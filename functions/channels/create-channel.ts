import * as z from 'zod/mini';
import { countPairs } from '#shared/actions/channels/count-within-day.ts';
import { subscribeUsers } from '#shared/actions/channels/subscribing.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { newChannelParameters, readSettings } from '#shared/api/contracts/subscriptions.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, maxLength, text, withDefault } from '#shared/api/parameters.ts';
import { limits } from '#shared/domain/channels/channel.ts';
import { checkChannelName } from '#shared/domain/channels/create.ts';
import { BadRequest, ChannelAlreadyExists, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { requireFeasible } from '#shared/domain/subscriptions/limits.ts';
import { resolvePrincipals } from '#shared/store/users/principals.ts';

/** Creates a channel with its first subscribers, if any. */
export const createChannel = endpoint({
  route: 'POST /channels/create',
  summary: 'Create a channel',
  allow: 'user',
  creates: true,
  needs: ['createPublicChannel'],
  params: {
    name: text(z.string(), 'Its name'),
    description: withDefault(
      text(z.string().check(maxLength(limits.channelDescription)), 'A description, as Markdown'),
      '',
    ),
    subscribers: json(z.array(z.int()), 'The ids of its first subscribers'),
    ...newChannelParameters,
  },
  result: z.object({ id: z.int() }),
  errors: [BadRequest, ChannelAlreadyExists, UnauthorizedPrincipal],
  emits: [
    'stream/create',
    'subscription/add',
    'subscription/peer_add',
    'default_streams',
    'message',
    'realm_user/add',
    'stream/update',
  ],
  uses: { table: 'write', areas: ['messages', 'uploads'], bus: true },
  timeoutSeconds: 29,
  async handle(params, { services, caller, retry }) {
    const { description, subscribers } = params;
    requireFeasible(1, subscribers);
    return countPairs(services, caller, { channels: 1, principals: subscribers }, async () => {
      const name = checkChannelName(params.name);
      const settings = readSettings(params);
      const users =
        subscribers.length > 0 ? await resolvePrincipals(services.table, caller, subscribers) : [];
      return subscribeUsers({
        services,
        retry,
        caller,
        requests: [{ name, description, color: undefined }],
        settings,
        users,
        options: {
          isFatal: true,
          isCreation: true,
          announces: params.announce,
          tellsPeople: params.send_new_subscription_messages,
        },
        answer: ({ channelIds: [id = 0] }) => ({ id }),
      });
    });
  },
});

export const handler = lambda(createChannel, awsServices);
