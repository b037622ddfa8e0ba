import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, text, withDefault } from '#shared/api/parameters.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { addDomain, checkDomain } from '#shared/domain/organization/domains.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/** Allows people with addresses of a domain to join. */
export const createDomain = endpoint({
  route: 'POST /realm/domains',
  summary: 'Add an allowed domain',
  allow: 'owner',
  creates: true,
  params: {
    domain: text(z.string(), 'The domain of e-mail addresses'),
    allow_subdomains: withDefault(json(z.boolean(), 'Whether subdomains are included'), false),
  },
  result: z.object({ id: z.string() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['realm_domains/add'],
  uses: { table: 'write' },
  async handle(params, { services, retry }) {
    const organization = await getOrganization(services.table);
    const domain = checkDomain(params.domain);
    return commitWithAnswer(
      services,
      retry,
      addDomain(organization, { domain, allowsSubdomains: params.allow_subdomains }),
      { id: domain },
    );
  },
});

export const handler = lambda(createDomain, awsServices);
