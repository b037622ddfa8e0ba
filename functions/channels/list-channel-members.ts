import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { getChannelView } from '#shared/store/channels/channels.ts';
import { listSubscriberIds } from '#shared/store/channels/subscriptions.ts';

/** The ids of a channel's subscribers, ascending. */
export const listChannelMembers = endpoint({
  route: 'GET /streams/{stream_id}/members',
  summary: 'List the subscribers of a channel',
  allow: 'user',
  scope: 'read',
  needs: ['knowChannel'],
  params: { stream_id: json(z.int(), 'The channel') },
  result: z.object({ subscribers: z.array(z.int()) }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read' },
  async handle(params, { services: { table }, caller }) {
    const { channel } = await getChannelView(table, caller, params.stream_id);
    return { subscribers: await listSubscriberIds(table, channel.channelId) };
  },
});

export const handler = lambda(listChannelMembers, awsServices);
