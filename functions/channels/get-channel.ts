import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { channelRecord } from '#shared/api/schemas.ts';
import { toChannelRecord } from '#shared/domain/channels/channel.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { getChannelView } from '#shared/store/channels/channels.ts';

/** A channel visible to the caller. */
export const getChannel = endpoint({
  route: 'GET /streams/{stream_id}',
  summary: 'Get a channel',
  allow: 'user',
  scope: 'read',
  obeysChannels: true,
  needs: ['knowChannel'],
  params: { stream_id: json(z.int(), 'The channel') },
  result: z.object({ stream: channelRecord }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read' },
  async handle(params, { services: { table }, caller }) {
    const { channel } = await getChannelView(table, caller, params.stream_id);
    return { stream: toChannelRecord(channel) };
  },
});

export const handler = lambda(getChannel, awsServices);
