import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { removeDomain } from '#shared/domain/organization/domains.ts';
import { commit } from '#shared/log/commit.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/** Removes an allowed domain. */
export const deleteDomain = endpoint({
  route: 'DELETE /realm/domains/{domain}',
  summary: 'Remove an allowed domain',
  allow: 'owner',
  params: {
    domain: text(z.string(), 'The domain of e-mail addresses'),
  },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['realm_domains/remove', 'realm/update'],
  uses: { table: 'write' },
  async handle(params, { services }) {
    const organization = await getOrganization(services.table);
    await commit(services, removeDomain(organization, params.domain.toLowerCase()));
    return {};
  },
});

export const handler = lambda(deleteDomain, awsServices);
