import { hashInAccount, passwordWrite, withoutHash } from '#shared/domain/users/password.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { retryConflicts } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listAccounts, listUsers } from '#shared/store/users.ts';
import { keys } from '#shared/table/keys.ts';
import { passwordKeys } from '#shared/table/password-keys.ts';
import { TransactionCanceled, type Write } from '#shared/table/table.ts';
import { deriveApiKey, digestOfKey } from './api-key.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/**
 * Gives each account of an earlier version of the service the digest of its API key, and when it looks again takes the
 * hash of its password out of it: functions of the version before, which look for it there, run for some minutes beside
 * those of this one. Reads all accounts once a day, and an hour after it found one. Safe at any time, and several times at once.
 */
export async function completeAccounts(services: Services): Promise<void> {
  const { table, clock } = services;
  const nowSeconds = toSeconds(clock.nowMs());
  const key = passwordKeys.lookedThrough();
  const looked = await table.find(key, { eventually: true });
  if (Number(looked?.nextAtSeconds ?? 0) > nowSeconds) return;
  const completed = await completeAll(services, { movesPasswords: looked !== undefined });
  const nextAtSeconds = nowSeconds + (completed > 0 ? HOUR_SECONDS : DAY_SECONDS);
  await table.write({ kind: 'update', key, set: { nextAtSeconds } });
}

async function completeAll(
  services: Services,
  { movesPasswords }: { movesPasswords: boolean },
): Promise<number> {
  const users = await listUsers(services.table);
  const accounts = await listAccounts(
    services.table,
    users.map(({ email }) => email),
  );
  const lacking = accounts.filter(
    (account) =>
      account.apiKeyDigest === undefined || (movesPasswords && hashInAccount(account) !== undefined),
  );
  await mapConcurrently(lacking, (account) => complete(services, account, movesPasswords));
  return lacking.length;
}

async function complete(services: Services, account: Account, movesPasswords: boolean): Promise<void> {
  const { table, ids } = services;
  const { userId, keyVersion } = account;
  const hash = movesPasswords ? hashInAccount(account) : undefined;
  const apiKey = deriveApiKey(await services.secret(), userId, keyVersion);
  const update: Write = {
    kind: 'update',
    key: keys.account(account.email),
    set: { apiKeyDigest: account.apiKeyDigest ?? digestOfKey(apiKey, keyVersion) },
    ...(hash !== undefined && { remove: Object.keys(withoutHash) }),
    condition: { equals: { userId, keyVersion, ...(hash !== undefined && { passwordHash: hash }) } },
  };
  // Of a password that is kept already, what stands in the account is an earlier one.
  const kept: Write[] =
    hash === undefined ? [] : [{ ...passwordWrite(userId, hash), condition: { exists: false } }];
  try {
    await retryConflicts(services, () => table.transact([update, ...kept], ids.writeId()));
  } catch (failure) {
    // The account has changed meanwhile: next time.
    if (!(failure instanceof TransactionCanceled)) throw failure;
  }
}
