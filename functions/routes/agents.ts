import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { answerMcp } from '../agents/answer-mcp.ts';
import { createApiToken } from '../api-tokens/create-api-token.ts';
import { listOwnApiTokens } from '../api-tokens/list-own-api-tokens.ts';
import { revokeApiToken } from '../api-tokens/revoke-api-token.ts';
import { getWellKnownDocument } from '../oauth/get-well-known-document.ts';
import { giveConsent } from '../oauth/give-consent.ts';
import { issueOauthToken } from '../oauth/issue-oauth-token.ts';
import { registerOauthClient } from '../oauth/register-oauth-client.ts';
import { revokeOauthToken } from '../oauth/revoke-oauth-token.ts';
import { showConsent } from '../oauth/show-consent.ts';

/** API tokens, and agents that use them. */
export const agentRoutes = {
  answerMcp,
  createApiToken,
  getWellKnownDocument,
  giveConsent,
  issueOauthToken,
  listOwnApiTokens,
  registerOauthClient,
  revokeApiToken,
  revokeOauthToken,
  showConsent,
} satisfies Record<string, AnyEndpoint>;
