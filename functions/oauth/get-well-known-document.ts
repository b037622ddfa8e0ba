import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { originOf } from '#shared/api/mcp/origin.ts';
import { text } from '#shared/api/parameters.ts';
import { JsonDocument, jsonDocument } from '#shared/api/replies.ts';
import { tokenScopes } from '#shared/domain/api-tokens/api-token.ts';
import { NotFound } from '#shared/domain/errors.ts';

/** The metadata for programs that request tokens: RFC 9728 and RFC 8414. */
export const getWellKnownDocument = endpoint({
  route: 'GET /.well-known/{document+}',
  at: 'root',
  summary: 'Get a document about authorization',
  allow: 'anyone',
  seesRequest: true,
  params: { document: text(z.string(), 'The name of the document') },
  result: jsonDocument,
  errors: [NotFound],
  emits: [],
  uses: { table: 'read' },
  async handle({ document }, { services, http }) {
    const origin = await originOf(services, http);
    if (['oauth-protected-resource', 'oauth-protected-resource/mcp'].includes(document))
      return new JsonDocument(JSON.stringify(describeResource(origin)));
    if (document === 'oauth-authorization-server')
      return new JsonDocument(JSON.stringify(describeServer(origin)));
    throw new NotFound('There is no such document.');
  },
});

export const handler = lambda(getWellKnownDocument, awsServices);

const describeResource = (origin: string) => ({
  resource: `${origin}/mcp`,
  resource_name: 'Team Chat',
  authorization_servers: [origin],
  scopes_supported: tokenScopes,
  bearer_methods_supported: ['header'],
});

const describeServer = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/oauth/authorize`,
  token_endpoint: `${origin}/oauth/token`,
  registration_endpoint: `${origin}/oauth/register`,
  revocation_endpoint: `${origin}/oauth/revoke`,
  scopes_supported: tokenScopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
});
