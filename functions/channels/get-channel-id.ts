import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { groupSettingsOf, mayKnow } from '#shared/domain/channels/permissions.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { findChannelByName } from '#shared/store/channels/channels.ts';
import { findSubscription } from '#shared/store/channels/subscriptions.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';

/** The id of a channel visible to the caller, by its name in any letter case. */
export const getChannelId = endpoint({
  route: 'GET /get_stream_id',
  summary: 'Get the id of a channel',
  allow: 'user',
  scope: 'read',
  obeysChannels: true,
  needs: ['knowChannel'],
  params: { stream: text(z.string(), 'The name of the channel') },
  result: z.object({ stream_id: z.int() }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read' },
  async handle(params, { services: { table }, caller }) {
    const channel = await findChannelByName(table, params.stream.trim());
    const subscription = channel && (await findSubscription(table, caller.userId, channel.channelId));
    if (channel) await learnMemberships(table, caller, groupSettingsOf(channel));
    if (!channel || !mayKnow(caller, { channel, subscription }))
      throw new BadRequest(`Invalid channel name '${params.stream}'`);
    return { stream_id: channel.channelId };
  },
});

export const handler = lambda(getChannelId, awsServices);
