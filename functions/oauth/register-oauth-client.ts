import * as z from 'zod/mini';
import { registerClient } from '#shared/actions/oauth/clients.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { maxLength, text } from '#shared/api/parameters.ts';
import { BareReply, createdDocument } from '#shared/api/replies.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { OAuthError } from '#shared/domain/oauth/errors.ts';

const MAX_METADATA_LENGTH = 10_000;

/** Registers a program that requests tokens of people (RFC 7591). Nothing is stored. */
export const registerOauthClient = endpoint({
  route: 'POST /oauth/register',
  at: 'root',
  summary: 'Register a program',
  allow: 'anyone',
  takesJson: true,
  params: {
    body: text(z.string().check(maxLength(MAX_METADATA_LENGTH)), 'Its metadata; the whole body, as JSON'),
  },
  result: createdDocument,
  errors: [BadRequest],
  emits: [],
  uses: { table: 'none', secret: true },
  async handle({ body }, { services }) {
    const client = await registerClient(services, parse(body));
    return new BareReply(
      201,
      {},
      {
        client_id: client.clientId,
        client_id_issued_at: client.issuedAtSeconds,
        client_name: client.name,
        redirect_uris: client.redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    );
  },
});

export const handler = lambda(registerOauthClient, awsServices);

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new OAuthError('invalid_client_metadata', 'The metadata is not valid JSON.');
  }
}
