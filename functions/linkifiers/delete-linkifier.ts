import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { deleteLinkifier as decide } from '#shared/domain/linkifiers/edit.ts';
import { commit } from '#shared/log/commit.ts';
import { getLinkifiers } from '#shared/store/linkifiers.ts';

/** Deletes a linkifier; existing links stay. */
export const deleteLinkifier = endpoint({
  route: 'DELETE /realm/filters/{filter_id}',
  summary: 'Delete a linkifier',
  allow: 'administrator',
  params: { filter_id: json(z.int(), 'The linkifier') },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['realm_linkifiers'],
  uses: { table: 'write' },
  async handle({ filter_id: id }, { services }) {
    await commit(services, decide(await getLinkifiers(services.table), id));
    return {};
  },
});

export const handler = lambda(deleteLinkifier, awsServices);
