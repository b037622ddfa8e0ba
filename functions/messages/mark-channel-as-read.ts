import * as z from 'zod/mini';
import { markChannelRead } from '#shared/actions/reading/mark-channel-read.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { hasContentAccess } from '#shared/domain/channels/permissions.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { getChannelView } from '#shared/store/channels/channels.ts';

/** Marks the messages of a channel as read. */
export const markChannelAsRead = endpoint({
  route: 'POST /mark_stream_as_read',
  summary: 'Mark the messages of a channel as read',
  allow: 'user',
  scope: 'organize',
  needs: ['knowChannel'],
  params: { stream_id: json(z.int(), 'The channel') },
  result: nothing,
  errors: [BadRequest],
  emits: ['update_message_flags/add'],
  uses: { table: 'write', areas: ['messages'], bus: true },
  timeoutSeconds: 29,
  async handle({ stream_id: channelId }, { services, caller }) {
    const view = await getChannelView(services.table, caller, channelId);
    if (!hasContentAccess(caller, view)) throw new BadRequest('Invalid channel ID');
    await markChannelRead(services, caller, view);
    return {};
  },
});

export const handler = lambda(markChannelAsRead, awsServices);
