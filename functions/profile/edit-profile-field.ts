import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { givenField, profileFieldParameters } from '#shared/api/contracts/profile-fields.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { editField } from '#shared/domain/profile/edit-fields.ts';
import { commit } from '#shared/log/commit.ts';
import { getProfileFields } from '#shared/store/users/profile-fields.ts';

/** Changes a custom profile field, except its type. */
export const editProfileField = endpoint({
  route: 'PATCH /realm/profile_fields/{field_id}',
  summary: 'Edit a custom profile field',
  allow: 'administrator',
  params: { ...profileFieldParameters, field_id: json(z.int(), 'The field') },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['custom_profile_fields', 'realm_user/update'],
  uses: { table: 'write', bus: true },
  async handle({ field_id, ...params }, { services }) {
    const change = editField(await getProfileFields(services.table), field_id, givenField(params));
    if (change) await commit(services, change);
    return {};
  },
});

export const handler = lambda(editProfileField, awsServices);
