import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { readAsked } from '#shared/actions/oauth/asked.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { authorizationRequest } from '#shared/api/contracts/oauth.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { originOf } from '#shared/api/mcp/origin.ts';
import { json, optional } from '#shared/api/parameters.ts';
import { MAX_TOKEN_CHANNELS, tokenScopes } from '#shared/domain/api-tokens/api-token.ts';
import { digestOfSecret } from '#shared/domain/api-tokens/token-text.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { redirectWith } from '#shared/domain/oauth/authorization.ts';
import { CODE_SECONDS, codeWrite } from '#shared/domain/oauth/grant.ts';
import { writeSilently } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { getChannelView } from '#shared/store/channels/channels.ts';

const SECRET_BYTES = 32;

/** Grants a program access, for fewer scopes than requested if the person says so, or refuses it. */
export const giveConsent = endpoint({
  route: 'POST /oauth/authorize',
  at: 'root',
  summary: 'Let a program in, or refuse it',
  allow: 'user',
  seesRequest: true,
  params: {
    ...authorizationRequest,
    granted_scopes: json(
      z.array(z.enum(tokenScopes)),
      'The granted scopes; an empty list refuses the program',
    ),
    channels: optional(
      json(
        z.nullable(z.array(z.int()).check(z.minLength(1), z.maxLength(MAX_TOKEN_CHANNELS))),
        'The only channels that the program reaches; all places if null',
      ),
    ),
  },
  result: z.object({ redirect_to: z.string() }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'write', secret: true, outside: true },
  async handle({ granted_scopes: granted, channels, ...params }, { services, caller, http }) {
    const origin = await originOf(services, http);
    const { client, redirectUri, asked } = await readAsked(services, params, origin);
    if ('refusedTo' in asked) return { redirect_to: asked.refusedTo };
    const { state } = params;
    const scopes = asked.scopes.filter((scope) => granted.includes(scope));
    if (scopes.length === 0)
      return { redirect_to: redirectWith(redirectUri, { error: 'access_denied', state, iss: origin }) };
    const { table, clock } = services;
    await mapConcurrently(channels ?? [], (channelId) => getChannelView(table, caller, channelId));
    const { userId, keyVersion } = caller;
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const code = {
      userId,
      digest: digestOfSecret(secret),
      clientId: client.clientId,
      clientName: client.name,
      redirectUri,
      challenge: asked.challenge,
      scopes,
      channels: channels ? [...new Set(channels)] : null,
      keyVersion,
      endsAtSeconds: toSeconds(clock.nowMs()) + CODE_SECONDS,
    };
    await writeSilently(services, codeWrite(code));
    return { redirect_to: redirectWith(redirectUri, { code: `${userId}.${secret}`, state, iss: origin }) };
  },
});

export const handler = lambda(giveConsent, awsServices);
