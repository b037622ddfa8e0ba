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

/** New accounts are not subscribed to the channel any more. */
export const removeDefaultChannel = endpoint({
  route: 'DELETE /default_streams',
  summary: 'Make a channel no default channel',
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

    await transitChannel(services, {
      caller,
      organization,
      previous: channel,
      next: channel,
      isDefault: false,
    });
    return {};
  },
});

export const handler = lambda(removeDefaultChannel, awsServices);
