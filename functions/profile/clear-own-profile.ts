import * as z from 'zod/mini';
import { changeOwnProfile } from '#shared/actions/profile/own-profile.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';

/** Deletes the caller's values of some profile fields. */
export const clearOwnProfile = endpoint({
  route: 'DELETE /users/me/profile_data',
  summary: 'Clear own profile data',
  allow: 'human',
  params: { data: json(z.array(z.int()), 'The fields') },
  result: nothing,
  errors: [BadRequest],
  emits: ['realm_user/update'],
  uses: { table: 'write', areas: ['accounts'] },
  async handle({ data }, { services, caller }) {
    const input = data.map((id) => ({ id, value: null }));
    await changeOwnProfile(services, caller, input);
    return {};
  },
});

export const handler = lambda(clearOwnProfile, awsServices);
