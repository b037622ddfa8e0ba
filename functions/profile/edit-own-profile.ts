import { changeOwnProfile } from '#shared/actions/profile/own-profile.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { profileData } from '#shared/api/contracts/profile-fields.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';

/** Sets or deletes values of the caller's profile. */
export const editOwnProfile = endpoint({
  route: 'PATCH /users/me/profile_data',
  summary: 'Edit own profile data',
  allow: 'human',
  params: { data: json(profileData, 'Fields, each with its new value') },
  result: nothing,
  errors: [BadRequest],
  emits: ['realm_user/update'],
  uses: { table: 'write', areas: ['accounts'] },
  async handle({ data }, { services, caller }) {
    await changeOwnProfile(services, caller, data);
    return {};
  },
});

export const handler = lambda(editOwnProfile, awsServices);
