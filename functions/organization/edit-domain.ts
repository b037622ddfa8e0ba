import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { editDomain as decide } from '#shared/domain/organization/domains.ts';
import { commit } from '#shared/log/commit.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/** Sets whether subdomains of an allowed domain are included. */
export const editDomain = endpoint({
  route: 'PATCH /realm/domains/{domain}',
  summary: 'Edit an allowed domain',
  allow: 'owner',
  params: {
    domain: text(z.string(), 'The domain of e-mail addresses'),
    allow_subdomains: json(z.boolean(), 'Whether subdomains are included'),
  },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['realm_domains/change'],
  uses: { table: 'write' },
  async handle(params, { services }) {
    const organization = await getOrganization(services.table);
    const { domain, allow_subdomains: allowsSubdomains } = params;
    await commit(services, decide(organization, { domain: domain.toLowerCase(), allowsSubdomains }));
    return {};
  },
});

export const handler = lambda(editDomain, awsServices);
