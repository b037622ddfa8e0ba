import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { profileFieldRecord } from '#shared/api/contracts/profile-fields.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { toFieldRecords } from '#shared/domain/profile/field.ts';
import { getProfileFields } from '#shared/store/users/profile-fields.ts';

/** The custom profile fields of the organization, in order. */
export const listProfileFields = endpoint({
  route: 'GET /realm/profile_fields',
  summary: 'List custom profile fields',
  allow: 'user',
  scope: 'read',
  obeysChannels: true,
  params: {},
  result: z.object({ custom_fields: z.array(profileFieldRecord) }),
  errors: [],
  emits: [],
  uses: { table: 'read' },
  async handle(_params, { services }) {
    const { fields } = await getProfileFields(services.table);
    return { custom_fields: toFieldRecords(fields) };
  },
});

export const handler = lambda(listProfileFields, awsServices);
