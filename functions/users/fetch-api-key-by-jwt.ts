import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { issueApiKey } from '#shared/api/auth/issue-api-key.ts';
import { emailOfToken } from '#shared/api/auth/json-web-token.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, maxLength, optional, text, withDefault } from '#shared/api/parameters.ts';
import { userRecord } from '#shared/api/schemas.ts';
import { AuthenticationFailed, BadRequest, UserDeactivated } from '#shared/domain/errors.ts';
import { checkEmail } from '#shared/domain/users/create.ts';
import { toUserRecord } from '#shared/domain/users/record.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { findAccount } from '#shared/store/users/users.ts';

const MAX_TOKEN_LENGTH = 4000;

/** The API key of the account that a JSON web token names. The token proves it by the key that the operator configured. */
export const fetchApiKeyByJwt = endpoint({
  route: 'POST /jwt/fetch_api_key',
  summary: 'Fetch an API key by a JSON web token',
  allow: 'anyone',
  closes: true,
  params: {
    token: optional(
      text(
        z.string().check(maxLength(MAX_TOKEN_LENGTH)),
        'A JSON web token, signed by HS256, whose claim `email` is the address of the account',
      ),
    ),
    include_profile: withDefault(json(z.boolean(), 'Whether the answer describes the user'), false),
  },
  result: z.object({ api_key: z.string(), email: z.string(), user: z.optional(userRecord) }),
  errors: [AuthenticationFailed, BadRequest, UserDeactivated],
  emits: [],
  uses: { table: 'write', areas: ['accounts'], jsonWebTokens: true },
  async handle({ token, include_profile: withProfile }, { services }) {
    const { jwtKey = await services.jwtKey?.() } = services.config;
    if (jwtKey === undefined) throw new BadRequest('JWT authentication is not enabled for this organization');
    if (!token) throw new BadRequest('No JSON web token passed in request');
    const email = checkEmail(emailOfToken(token, jwtKey, toSeconds(services.clock.nowMs())));
    const account = await findAccount(services.table, email);
    if (!account || account.isBot) throw new AuthenticationFailed();
    if (!account.isActive) throw new UserDeactivated();
    const seen = { viewer: account, clientGravatar: false, withProfileData: false };
    return {
      api_key: await issueApiKey(services, account),
      email: account.email,
      ...(withProfile && { user: toUserRecord(account, seen) }),
    };
  },
});

export const handler = lambda(fetchApiKeyByJwt, awsServices);
