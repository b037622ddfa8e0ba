import * as z from 'zod/mini';
import { exchangeCode, type IssuedToken, renewToken } from '#shared/actions/oauth/grants.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { originOf } from '#shared/api/mcp/origin.ts';
import { optional, text } from '#shared/api/parameters.ts';
import { BareReply, privateDocument } from '#shared/api/replies.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { isOwnResource } from '#shared/domain/oauth/authorization.ts';
import { OAuthError } from '#shared/domain/oauth/errors.ts';
import { ACCESS_SECONDS } from '#shared/domain/oauth/grant.ts';

const plain = (description: string) => optional(text(z.string(), description));

/** Exchanges a code for a token of a program, or renews one. */
export const issueOauthToken = endpoint({
  route: 'POST /oauth/token',
  at: 'root',
  summary: 'Issue a token to a program',
  allow: 'anyone',
  closes: true,
  seesRequest: true,
  params: {
    grant_type: plain('`authorization_code` or `refresh_token`'),
    client_id: plain('The program'),
    code: plain('The authorization code'),
    redirect_uri: plain('The address to which the code was sent'),
    code_verifier: plain('The secret whose SHA-256 the program named before (RFC 7636)'),
    refresh_token: plain('The refresh token'),
    scope: plain('Ignored: a renewed token has the scopes that it had'),
    resource: plain('The address of the resource for which the token is (RFC 8707)'),
  },
  result: privateDocument,
  errors: [BadRequest],
  emits: [],
  uses: { table: 'write' },
  async handle(params, { services, http }) {
    const { resource } = params;
    if (resource !== undefined && !isOwnResource(resource, await originOf(services, http)))
      throw new OAuthError('invalid_target', 'The resource is not part of this service.');
    if (params.grant_type === 'authorization_code') return describe(await exchangeCode(services, params));
    if (params.grant_type === 'refresh_token') return describe(await renewToken(services, params));
    throw new OAuthError('unsupported_grant_type', 'Use authorization_code or refresh_token.');
  },
});

export const handler = lambda(issueOauthToken, awsServices);

const describe = ({ token, access, refresh }: IssuedToken): BareReply =>
  new BareReply(
    200,
    {},
    {
      access_token: access,
      token_type: 'Bearer',
      expires_in: ACCESS_SECONDS,
      refresh_token: refresh,
      scope: token.scopes.join(' '),
    },
  );
