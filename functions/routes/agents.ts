import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { answerMcp } from '../agents/answer-mcp.ts';
import { createApiToken } from '../api-tokens/create-api-token.ts';
import { listOwnApiTokens } from '../api-tokens/list-own-api-tokens.ts';
import { revokeApiToken } from '../api-tokens/revoke-api-token.ts';

/** API tokens, and agents that use them. */
export const agentRoutes = {
  answerMcp,
  createApiToken,
  listOwnApiTokens,
  revokeApiToken,
} satisfies Record<string, AnyEndpoint>;
