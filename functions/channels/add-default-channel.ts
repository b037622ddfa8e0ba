import * as z from 'zod/mini';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { transitChannel } from '#shared/log/channel-transition.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { getChannelView } from '#shared/store/channels.ts';
import { getOrganization } from '#shared/store/organization.ts';

/** New accounts are subscribed to the channel from now on. */
export const addDefaultChannel = endpoint({
  route: 'POST /default_streams',
  summary: 'Make a channel a default channel',
  allow: 'administrator',
  params: { stream_id: json(z.int(), 'The channel') },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['default_streams'],
  uses: { table: 'write' },
  async handle(params, { services, caller }) {
    const [{ channel }, organization] = await Promise.all([
      getChannelView(services.table, caller, params.stream_id),
      getOrganization(services.table),
    ]);
    if (channel.isArchived) throw new BadRequest('Invalid channel ID');
    if (channel.isPrivate) throw new BadRequest('Private channels cannot be made default.');
    await transitChannel(services, {
      caller,
      organization,
      previous: channel,
      next: channel,
      isDefault: true,
    });
    return {};
  },
});

export const handler = lambda(addDefaultChannel, awsServices);
