import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { deletePlayground as decide } from '#shared/domain/playgrounds/playgrounds.ts';
import { commit } from '#shared/log/commit.ts';
import { getPlaygrounds } from '#shared/store/playgrounds.ts';

/** Removes a code playground. */
export const deletePlayground = endpoint({
  route: 'DELETE /realm/playgrounds/{playground_id}',
  summary: 'Delete a code playground',
  allow: 'administrator',
  params: { playground_id: json(z.int(), 'The playground') },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['realm_playgrounds'],
  uses: { table: 'write' },
  async handle({ playground_id: id }, { services }) {
    await commit(services, decide(await getPlaygrounds(services.table), id));
    return {};
  },
});

export const handler = lambda(deletePlayground, awsServices);
