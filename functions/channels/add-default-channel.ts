import * as z from 'zod/mini';
import { setDefaultChannel } from '#shared/actions/channels/set-default-channel.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';

/** Makes a channel a default channel: new accounts will be subscribed to it. */
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
    await setDefaultChannel(services, caller, params.stream_id, true);
    return {};
  },
});

export const handler = lambda(addDefaultChannel, awsServices);
