import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, text, withDefault } from '#shared/api/parameters.ts';
import { userRecord } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { toUserRecord } from '#shared/domain/users/record.ts';
import { getUserNamed } from '#shared/store/users/addresses.ts';

/** One user by id or address, active or not. */
export const getUser = endpoint({
  route: 'GET /users/{user_id_or_email}',
  summary: 'Get a user',
  allow: 'user',
  scope: 'read',
  obeysChannels: true,
  params: {
    user_id_or_email: text(z.string(), 'The user, by id or by an address that the caller may know'),
    client_gravatar: withDefault(json(z.boolean(), 'The client computes Gravatar addresses'), true),
    include_custom_profile_fields: withDefault(json(z.boolean(), 'Adds profile data'), false),
  },
  result: z.object({ user: userRecord }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read' },
  async handle(params, { services, caller }) {
    const user = await getUserNamed(services.table, caller, params.user_id_or_email);
    const style = {
      viewer: caller,
      clientGravatar: params.client_gravatar,
      withProfileData: params.include_custom_profile_fields,
    };
    return { user: toUserRecord(user, style) };
  },
});

export const handler = lambda(getUser, awsServices);
