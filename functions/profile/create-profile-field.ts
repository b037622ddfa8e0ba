import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { givenField, profileFieldParameters } from '#shared/api/contracts/profile-fields.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { createField } from '#shared/domain/profile/edit-fields.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { getProfileFields } from '#shared/store/users/profile-fields.ts';

/** Adds a custom profile field to the end of the list. */
export const createProfileField = endpoint({
  route: 'POST /realm/profile_fields',
  summary: 'Create a custom profile field',
  allow: 'administrator',
  creates: true,
  params: {
    ...profileFieldParameters,
    field_type: json(z.int(), 'The type: short text 1 to pronouns 8'),
  },
  result: z.object({ id: z.int() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['custom_profile_fields'],
  uses: { table: 'write' },
  async handle({ field_type, ...params }, { services, retry }) {
    const known = await getProfileFields(services.table);
    const { id, change } = createField(known, field_type, {
      name: '',
      hint: '',
      fieldData: {},
      displayInProfileSummary: false,
      required: false,
      editableByUser: true,
      useForUserMatching: false,
      ...givenField(params),
    });
    return commitWithAnswer(services, retry, change, { id });
  },
});

export const handler = lambda(createProfileField, awsServices);
