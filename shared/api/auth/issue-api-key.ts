import { keyIndexWrites } from '#shared/domain/users/key.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { writeSilently } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { deriveApiKey, digestOfKey } from './api-key.ts';

/**
 * Issues the API key of an account. Costs two writes when the account does not store the key's digest yet.
 * @throws Conflict when the account has changed since it was loaded
 */
export async function issueApiKey(
  services: Services,
  { userId, email, keyVersion, apiKeyDigest }: Account,
): Promise<string> {
  const apiKey = deriveApiKey(await services.secret(), userId, keyVersion);
  const digest = digestOfKey(apiKey, keyVersion);
  if (digest === apiKeyDigest) return apiKey;
  await Promise.all(keyIndexWrites(userId, digest).map((write) => writeSilently(services, write)));
  await writeSilently(services, {
    kind: 'update',
    key: userKeys.account(email),
    set: { apiKeyDigest: digest },
    condition: { equals: { userId, keyVersion } },
  });
  return apiKey;
}
