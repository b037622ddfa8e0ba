import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { deleteField } from '#shared/domain/profile/edit-fields.ts';
import { commit } from '#shared/log/commit.ts';
import { getProfileFields } from '#shared/store/users/profile-fields.ts';

/** Deletes a custom profile field and all its values. */
export const deleteProfileField = endpoint({
  route: 'DELETE /realm/profile_fields/{field_id}',
  summary: 'Delete a custom profile field',
  allow: 'administrator',
  params: { field_id: json(z.int(), 'The field') },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['custom_profile_fields', 'realm_user/update'],
  uses: { table: 'write', bus: true },
  async handle({ field_id }, { services }) {
    await commit(services, deleteField(await getProfileFields(services.table), field_id));
    return {};
  },
});

export const handler = lambda(deleteProfileField, awsServices);
