import * as z from 'zod/mini';
import { type ApiToken, tokenScopes } from '#shared/domain/api-tokens/api-token.ts';

/** A token as its person sees it; the secret is not part of it. */
export const apiTokenRecord = z.object({
  id: z.int(),
  name: z.string(),
  scopes: z.array(z.enum(tokenScopes)),
  channels: z.nullable(z.array(z.int())),
  created_at: z.int(),
  expires_at: z.nullable(z.int()),
  last_used_at: z.nullable(z.int()),
  is_from_oauth: z.boolean(),
});

export const toApiTokenRecord = (token: ApiToken, usedAtSeconds?: number) => ({
  id: token.tokenId,
  name: token.name,
  scopes: [...token.scopes],
  channels: token.channels,
  created_at: token.createdAtSeconds,
  expires_at: token.oauth?.refreshEndsAtSeconds ?? token.endsAtSeconds,
  last_used_at: usedAtSeconds ?? null,
  is_from_oauth: token.oauth !== undefined,
});
