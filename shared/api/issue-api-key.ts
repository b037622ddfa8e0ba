import type { Account } from '#shared/domain/users/user.ts';
import { StaleState } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import { deriveApiKey, digestOfKey } from './api-key.ts';

/**
 * The API key of an account, which opens it from now on. Where the account does not know the key by its digest yet,
 * that is one write.
 * @throws StaleState when the account is not what was loaded
 */
export async function issueApiKey(
  services: Services,
  { userId, email, keyVersion, apiKeyDigest }: Account,
): Promise<string> {
  const apiKey = deriveApiKey(await services.secret(), userId, keyVersion);
  const digest = digestOfKey(apiKey, keyVersion);
  if (digest === apiKeyDigest) return apiKey;
  try {
    await services.table.write({
      kind: 'update',
      key: keys.account(email),
      set: { apiKeyDigest: digest },
      condition: { equals: { userId, keyVersion } },
    });
  } catch (failure) {
    throw failure instanceof ConditionFailed ? new StaleState() : failure;
  }
  return apiKey;
}
