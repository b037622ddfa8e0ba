import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { apiTokenRecord, toApiTokenRecord } from '#shared/api/contracts/api-tokens.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { isAlive } from '#shared/domain/api-tokens/api-token.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { listApiTokens, readTokenUses } from '#shared/store/api-tokens.ts';

/** The caller's valid API tokens, oldest first. */
export const listOwnApiTokens = endpoint({
  route: 'GET /users/me/tokens',
  summary: 'List own API tokens',
  allow: 'user',
  params: {},
  result: z.object({ tokens: z.array(apiTokenRecord) }),
  errors: [],
  emits: [],
  uses: { table: 'read' },
  async handle(_params, { services: { table, clock }, caller }) {
    const [tokens, uses] = await Promise.all([
      listApiTokens(table, caller.userId),
      readTokenUses(table, caller.userId),
    ]);
    const nowSeconds = toSeconds(clock.nowMs());
    const valid = tokens.filter((token) => isAlive(token, caller, nowSeconds));
    return { tokens: valid.map((token) => toApiTokenRecord(token, uses.get(token.tokenId))) };
  },
});

export const handler = lambda(listOwnApiTokens, awsServices);
