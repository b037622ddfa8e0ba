import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { JsonDocument, jsonDocument } from '#shared/api/replies.ts';

/** The OpenAPI document of all operations. */
export const getApiDocument = endpoint({
  route: 'GET /openapi.json',
  summary: 'Get the OpenAPI document',
  allow: 'anyone',
  params: {},
  result: jsonDocument,
  errors: [],
  emits: [],
  uses: { table: 'none' },
  async handle(_params, { services }) {
    return new JsonDocument(await services.apiDocument());
  },
});

export const handler = lambda(getApiDocument, awsServices);
