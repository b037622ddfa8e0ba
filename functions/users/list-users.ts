import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, withDefault } from '#shared/api/parameters.ts';
import { userRecord } from '#shared/api/schemas.ts';
import { toUserRecord } from '#shared/domain/users/record.ts';
import { listUsers as listAllUsers } from '#shared/store/users/users.ts';
import { listSeen, listSeenById } from '#shared/store/visibility/visible-users.ts';

/** All users visible to the caller, deactivated ones included. */
export const listUsers = endpoint({
  route: 'GET /users',
  summary: 'List users',
  allow: 'user',
  scope: 'read',
  obeysChannels: true,
  params: {
    client_gravatar: withDefault(json(z.boolean(), 'The client computes Gravatar addresses'), true),
    include_custom_profile_fields: withDefault(json(z.boolean(), 'Adds profile data'), false),
    user_ids: optional(json(z.array(z.int()), 'Only these users')),
  },
  result: z.object({ members: z.array(userRecord) }),
  errors: [],
  emits: [],
  uses: { table: 'read' },
  async handle(params, { services: { table }, caller }) {
    const people = params.user_ids
      ? await listSeenById(table, caller, params.user_ids)
      : await listSeen(table, caller, await listAllUsers(table));
    const style = {
      viewer: caller,
      clientGravatar: params.client_gravatar,
      withProfileData: params.include_custom_profile_fields,
    };
    return {
      members: people.filter(({ isSystemBot }) => !isSystemBot).map((user) => toUserRecord(user, style)),
    };
  },
});

export const handler = lambda(listUsers, awsServices);
