import * as z from 'zod/mini';
import { endToken } from '#shared/actions/oauth/grants.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { optional, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { parseTokenText, REFRESH_PREFIX } from '#shared/domain/api-tokens/token-text.ts';
import { findApiToken } from '#shared/store/api-tokens.ts';

/** Ends a token of a program by its access or refresh token (RFC 7009). An unknown one has ended already. */
export const revokeOauthToken = endpoint({
  route: 'POST /oauth/revoke',
  at: 'root',
  summary: 'Revoke a token of a program',
  allow: 'anyone',
  params: {
    token: optional(text(z.string(), 'The access or refresh token')),
    token_type_hint: optional(text(z.string(), 'Ignored')),
    client_id: optional(text(z.string(), 'The program')),
  },
  result: nothing,
  errors: [],
  emits: [],
  uses: { table: 'write' },
  async handle({ token: input = '', client_id: clientId }, { services }) {
    const parsed = parseTokenText(input) ?? parseTokenText(input, REFRESH_PREFIX);
    const token = parsed && (await findApiToken(services.table, parsed.userId, parsed.tokenId));
    const isTheirs =
      token?.oauth !== undefined &&
      [token.digest, token.oauth.refreshDigest].includes(parsed?.digest ?? '') &&
      (clientId === undefined || clientId === token.oauth.clientId);
    if (isTheirs) await endToken(services, token.userId, token.tokenId);
    return {};
  },
});

export const handler = lambda(revokeOauthToken, awsServices);
