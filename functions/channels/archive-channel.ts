import * as z from 'zod/mini';
import { transitChannel } from '#shared/actions/channels/channel-transition.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { requireMayArchive } from '#shared/domain/channels/permissions.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { getChannelView } from '#shared/store/channels/channels.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/**
 * Archives a channel, which ends posting. Subscribers stay subscribed; it is not a default channel until it
 * is unarchived.
 */
export const archiveChannel = endpoint({
  route: 'DELETE /streams/{stream_id}',
  summary: 'Archive a channel',
  allow: 'user',
  needs: ['editChannel'],
  params: { stream_id: json(z.int(), 'The channel') },
  result: nothing,
  errors: [BadRequest],
  emits: ['stream/delete', 'stream/update', 'default_streams', 'message'],
  uses: { table: 'write', bus: true },
  async handle(params, { services, caller }) {
    const [view, organization] = await Promise.all([
      getChannelView(services.table, caller, params.stream_id),
      getOrganization(services.table),
    ]);
    requireMayArchive(caller, view);
    const { channel } = view;
    await transitChannel(services, {
      caller,
      organization,
      previous: channel,
      next: { ...channel, isArchived: true },
    });
    return {};
  },
});

export const handler = lambda(archiveChannel, awsServices);
