import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { domainsOf, toDomainRecord } from '#shared/domain/organization/domains.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/** The domains whose addresses may join. */
export const listDomains = endpoint({
  route: 'GET /realm/domains',
  summary: 'List the allowed domains',
  allow: 'user',
  params: {},
  result: z.object({
    domains: z.array(z.object({ domain: z.string(), allow_subdomains: z.boolean() })),
  }),
  errors: [],
  emits: [],
  uses: { table: 'read' },
  async handle(_params, { services }) {
    return { domains: domainsOf(await getOrganization(services.table)).map(toDomainRecord) };
  },
});

export const handler = lambda(listDomains, awsServices);
