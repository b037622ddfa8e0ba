import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import * as schemas from '#shared/api/schemas.ts';
import { describeServer } from '#shared/domain/organization/server-settings.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';

/** The data that a client needs before signing in. */
export const getServerSettings = endpoint({
  route: 'GET /server_settings',
  summary: 'Get server settings',
  allow: 'anyone',
  params: {},
  result: z.looseObject({
    ...schemas.versions,
    realm_url: z.string(),
    realm_uri: z.string(),
    realm_name: z.string(),
  }),
  errors: [],
  emits: [],
  uses: { table: 'read' },
  async handle(_params, { services }) {
    return describeServer(await getOrganization(services.table), services.relay !== undefined);
  },
});

export const handler = lambda(getServerSettings, awsServices);
