import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { reorderLinkifiers as decide } from '#shared/domain/linkifiers/edit.ts';
import { commit } from '#shared/log/commit.ts';
import { getLinkifiers } from '#shared/store/linkifiers.ts';

/** Reorders linkifiers: the first one that matches a text makes the link. */
export const reorderLinkifiers = endpoint({
  route: 'PATCH /realm/linkifiers',
  summary: 'Reorder linkifiers',
  allow: 'administrator',
  params: { ordered_linkifier_ids: json(z.array(z.int()), 'The ids of all linkifiers in their new order') },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['realm_linkifiers'],
  uses: { table: 'write' },
  async handle({ ordered_linkifier_ids: order }, { services }) {
    await commit(services, decide(await getLinkifiers(services.table), order));
    return {};
  },
});

export const handler = lambda(reorderLinkifiers, awsServices);
