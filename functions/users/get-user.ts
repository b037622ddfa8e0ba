import * as z from 'zod/mini';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, withDefault } from '#shared/api/parameters.ts';
import { userRecord } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { toUserRecord } from '#shared/domain/users/record.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { getUser as getUserById } from '#shared/store/users.ts';

/** One user by id, active or not. */
export const getUser = endpoint({
  route: 'GET /users/{user_id}',
  summary: 'Get a user',
  allow: 'user',
  params: {
    user_id: json(z.int(), 'The user'),
    client_gravatar: withDefault(json(z.boolean(), 'The client computes Gravatar addresses'), true),
    include_custom_profile_fields: withDefault(json(z.boolean(), 'Adds profile data'), false),
  },
  result: z.object({ user: userRecord }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'read' },
  async handle(params, { services }) {
    const user = await getUserById(services.table, params.user_id);
    const style = {
      clientGravatar: params.client_gravatar,
      withProfileData: params.include_custom_profile_fields,
    };
    return { user: toUserRecord(user, style) };
  },
});

export const handler = lambda(getUser, awsServices);
