import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { requireSupportedClient } from '#shared/domain/organization/client-version.ts';

/** Succeeds for every client that the service supports, which the client names in `User-Agent`. */
export const checkCompatibility = endpoint({
  route: 'GET /compatibility',
  at: 'root',
  summary: 'Check whether the service supports the client',
  allow: 'anyone',
  params: {},
  seesRequest: true,
  result: nothing,
  errors: [BadRequest],
  emits: [],
  uses: { table: 'none' },
  async handle(_params, { http }) {
    requireSupportedClient(http?.headers['user-agent']);
    return {};
  },
});

export const handler = lambda(checkCompatibility, awsServices);
