import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { reorderFields } from '#shared/domain/profile/edit-fields.ts';
import { commit } from '#shared/log/commit.ts';
import { getProfileFields } from '#shared/store/users/profile-fields.ts';

/** Reorders the custom profile fields. */
export const reorderProfileFields = endpoint({
  route: 'PATCH /realm/profile_fields',
  summary: 'Reorder custom profile fields',
  allow: 'administrator',
  params: { order: json(z.array(z.int()), 'The ids of all fields in their new order') },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['custom_profile_fields'],
  uses: { table: 'write' },
  async handle({ order }, { services }) {
    const change = reorderFields(await getProfileFields(services.table), order);
    if (change) await commit(services, change);
    return {};
  },
});

export const handler = lambda(reorderProfileFields, awsServices);
