import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { tokenRevocation } from '#shared/domain/api-tokens/api-token.ts';
import { NotFound } from '#shared/domain/errors.ts';
import { commit } from '#shared/log/commit.ts';
import { findApiToken } from '#shared/store/api-tokens.ts';

/** Revokes an API token of the caller at once, also for its waiting polls. */
export const revokeApiToken = endpoint({
  route: 'DELETE /users/me/tokens/{token_id}',
  summary: 'Revoke an API token',
  allow: 'user',
  needs: ['useOwn'],
  params: { token_id: json(z.int(), 'The token') },
  result: nothing,
  errors: [NotFound],
  emits: [],
  uses: { table: 'write' },
  async handle({ token_id: tokenId }, { services, caller }) {
    const token = await findApiToken(services.table, caller.userId, tokenId);
    if (!token) throw new NotFound('API token does not exist.');
    await commit(services, tokenRevocation(token));
    return {};
  },
});

export const handler = lambda(revokeApiToken, awsServices);
