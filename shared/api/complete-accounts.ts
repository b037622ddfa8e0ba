import { hashInAccount, passwordWrite, withoutHash } from '#shared/domain/users/password.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { retryConflicts } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listAccounts, listUsers } from '#shared/store/users.ts';
import { keys } from '#shared/table/keys.ts';
import { passwordKeys } from '#shared/table/password-keys.ts';
import { type Item, TransactionCanceled, type Write } from '#shared/table/table.ts';
import { deriveApiKey, deriveKey, digestOfKey, isOfVersion } from './api-key.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/**
 * Gives each account of an earlier version of the service the digest of its API key, and when it looks again takes the
 * hash of its password out of it: functions of the version before, which look for it there, run for some minutes beside
 * those of this one. Reads all accounts once a day, an hour after it found one, and under another secret: then the
 * digests of all keys are those of the new ones. Safe at any time, and several times at once.
 */
export async function completeAccounts(services: Services): Promise<void> {
  const { table, clock } = services;
  const nowSeconds = toSeconds(clock.nowMs());
  const looked = await table.find(passwordKeys.lookedThrough(), { eventually: true });
  const isDue = Number(looked?.nextAtSeconds ?? 0) <= nowSeconds;
  if (!isDue && looked?.secretPrint === printOf(await services.secret())) return;
  const completed = await completeAll(services, { movesPasswords: looked?.nextAtSeconds !== undefined });
  const nextAtSeconds = nowSeconds + (completed > 0 ? HOUR_SECONDS : DAY_SECONDS);
  await note(services, { nextAtSeconds });
}

/** The digests alone, which the version before does not mind; for a deployment that cannot wait for the sweep. */
export async function completeDigests(services: Services): Promise<void> {
  await completeAll(services, { movesPasswords: false });
  await note(services, {});
}

async function note({ table, secret }: Services, set: Item): Promise<void> {
  const secretPrint = printOf(await secret());
  await table.write({ kind: 'update', key: passwordKeys.lookedThrough(), set: { ...set, secretPrint } });
}

/** By this a secret is known again, and nothing else learned of it. */
const printOf = (secret: string): string => deriveKey(secret, 'print');

interface Lack {
  account: Account;
  /** What the digest should be. */
  digest: string;
  /** The hash of a password that is to be kept elsewhere. */
  hash: string | undefined;
}

/** Returns how many accounts lacked something. */
async function completeAll(services: Services, options: { movesPasswords: boolean }): Promise<number> {
  const { table } = services;
  const secret = await services.secret();
  const emails = (await listUsers(table)).map(({ email }) => email);
  const accounts = await listAccounts(table, emails);
  const lacking = accounts.flatMap((account): Lack[] => {
    const digest = digestFor(account, secret);
    const hash = options.movesPasswords ? hashInAccount(account) : undefined;
    return digest === account.apiKeyDigest && hash === undefined ? [] : [{ account, digest, hash }];
  });
  await mapConcurrently(lacking, (lack) => complete(services, lack));
  return lacking.length;
}

/** That of the key under this secret, unless no key of the present version was issued. */
function digestFor({ userId, keyVersion, apiKeyDigest }: Account, secret: string): string {
  const isIssued = apiKeyDigest === undefined || isOfVersion(apiKeyDigest, keyVersion);
  return isIssued ? digestOfKey(deriveApiKey(secret, userId, keyVersion), keyVersion) : apiKeyDigest;
}

async function complete(services: Services, { account, digest, hash }: Lack): Promise<void> {
  const { table, ids } = services;
  const { userId, keyVersion } = account;
  const update: Write = {
    kind: 'update',
    key: keys.account(account.email),
    set: { apiKeyDigest: digest },
    ...(hash !== undefined && { remove: Object.keys(withoutHash) }),
    condition: { equals: { userId, keyVersion, ...(hash !== undefined && { passwordHash: hash }) } },
  };
  const kept = hash === undefined ? [] : [passwordWrite(userId, hash)];
  try {
    await retryConflicts(services, () => table.transact([update, ...kept], ids.writeId()));
  } catch (failure) {
    // The account has changed meanwhile: next time.
    if (!(failure instanceof TransactionCanceled)) throw failure;
  }
}
