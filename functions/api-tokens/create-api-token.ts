import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { apiTokenRecord, toApiTokenRecord } from '#shared/api/contracts/api-tokens.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, maxLength, notBlank, optional, text } from '#shared/api/parameters.ts';
import {
  isAlive,
  MAX_TOKEN_CHANNELS,
  MAX_TOKEN_NAME_LENGTH,
  newTokenChange,
  requireFewTokens,
  tokenScopes,
} from '#shared/domain/api-tokens/api-token.ts';
import { digestOfSecret, tokenText } from '#shared/domain/api-tokens/token-text.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { commit } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { listApiTokens } from '#shared/store/api-tokens.ts';
import { getChannelView } from '#shared/store/channels/channels.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

const SECRET_BYTES = 32;
const DAY_SECONDS = 24 * 3600;
const DEFAULT_SECONDS = 90 * DAY_SECONDS;
const MAX_SECONDS = 3660 * DAY_SECONDS;
const MIN_SECONDS = 60;

/** Creates a personal API token. Its text is in the answer and nowhere else. */
export const createApiToken = endpoint({
  route: 'POST /users/me/tokens',
  summary: 'Create an API token',
  allow: 'user',
  needs: ['knowChannel'],
  params: {
    name: text(z.string().check(notBlank(), maxLength(MAX_TOKEN_NAME_LENGTH)), 'The purpose of the token'),
    scopes: json(
      z.array(z.enum(tokenScopes)).check(z.minLength(1)),
      'The rights: `read`, `send` (write messages, reactions and drafts) and `organize` (topics, flags, subscriptions, own status)',
    ),
    channels: optional(
      json(
        z.nullable(z.array(z.int()).check(z.minLength(1), z.maxLength(MAX_TOKEN_CHANNELS))),
        'The only channels that it reaches, by id; it then reaches no direct messages',
      ),
    ),
    expires_in_seconds: optional(
      json(
        z.nullable(z.int().check(z.gte(MIN_SECONDS), z.lte(MAX_SECONDS))),
        'When it ends; after 90 days if absent, never if null',
      ),
    ),
  },
  result: z.extend(apiTokenRecord, { token: z.string() }),
  errors: [BadRequest],
  emits: [],
  uses: { table: 'write' },
  async handle(params, { services, caller }) {
    const { table, clock } = services;
    const { userId, keyVersion } = caller;
    const channels = params.channels ? [...new Set(params.channels)] : null;
    await mapConcurrently(channels ?? [], (channelId) => getChannelView(table, caller, channelId));
    const nowSeconds = toSeconds(clock.nowMs());
    const existing = (await listApiTokens(table, userId)).filter((apiToken) =>
      isAlive(apiToken, caller, nowSeconds),
    );
    requireFewTokens(existing.length);
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const lifeSeconds = params.expires_in_seconds === undefined ? DEFAULT_SECONDS : params.expires_in_seconds;
    const token = {
      tokenId: await table.increment(organizationKeys.counter('api-token'), 'id'),
      userId,
      name: params.name.trim(),
      digest: digestOfSecret(secret),
      scopes: tokenScopes.filter((scope) => params.scopes.includes(scope)),
      channels,
      createdAtSeconds: nowSeconds,
      endsAtSeconds: lifeSeconds === null ? null : nowSeconds + lifeSeconds,
      keyVersion,
    };
    await commit(services, newTokenChange(token, caller));
    return { ...toApiTokenRecord(token), token: tokenText(userId, token.tokenId, secret) };
  },
});

export const handler = lambda(createApiToken, awsServices);
