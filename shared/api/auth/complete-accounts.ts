import { keyIndexWrites } from '#shared/domain/users/key.ts';
import { hashInAccount, passwordWrite, withoutHash } from '#shared/domain/users/password.ts';
import type { Account } from '#shared/domain/users/user.ts';
import { retryConflicts } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { listAccounts, listUsers } from '#shared/store/users/users.ts';
import { signInKeys } from '#shared/table/keys/sign-in.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { type Item, TransactionCanceled, type Write } from '#shared/table/table.ts';
import { deriveApiKey, deriveKey, digestOfKey, isOfVersion } from './api-key.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/**
 * Adds the digest of the API key to accounts written by an earlier version of the service. A later run also
 * makes keys findable by themselves and moves password hashes out of the accounts; it waits because functions of the earlier version run beside the
 * new ones for some minutes and still look there. Reads all accounts once a day, an hour after it changed
 * one, and after the secret has changed, when all digests are replaced. Safe at any time and in parallel.
 */
export async function completeAccounts(services: Services): Promise<void> {
  const { table, clock } = services;
  const nowSeconds = toSeconds(clock.nowMs());
  const looked = await table.find(signInKeys.lookedThrough(), { eventually: true });
  const isDue = Number(looked?.nextAtSeconds ?? 0) <= nowSeconds;
  const isIndexed = looked?.hasKeyIndex === true;
  if (!isDue && isIndexed && looked?.secretPrint === printOf(await services.secret())) return;
  const movesPasswords = looked?.nextAtSeconds !== undefined;
  const completed = await completeAll(services, { movesPasswords, indexesAll: !isIndexed });
  const nextAtSeconds = nowSeconds + (completed > 0 ? HOUR_SECONDS : DAY_SECONDS);
  await note(services, { nextAtSeconds, hasKeyIndex: true });
}

/**
 * Adds only the digests, which the earlier version ignores. For deployments that cannot wait for the sweep.
 */
export async function completeBlockSummaries(services: Services): Promise<void> {
  await completeAll(services, { movesPasswords: false, indexesAll: false });
  await note(services, {});
}

async function note({ table, secret }: Services, set: Item): Promise<void> {
  const secretPrint = printOf(await secret());
  await table.write({ kind: 'update', key: signInKeys.lookedThrough(), set: { ...set, secretPrint } });
}

/** Identifies a secret without revealing it. */
const printOf = (secret: string): string => deriveKey(secret, 'print');

interface Lack {
  account: Account;
  /** The expected digest. */
  digest: string;
  /** The hash of a password that must move out of the account. */
  hash: string | undefined;
}

/** Returns the number of accounts that were incomplete. */
async function completeAll(
  services: Services,
  options: { movesPasswords: boolean; indexesAll: boolean },
): Promise<number> {
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
  // Keys that an earlier version issued are not indexed yet.
  const unindexed = options.indexesAll
    ? accounts.filter((account) => !lacking.some((lack) => lack.account === account))
    : [];
  const index = unindexed.flatMap(({ userId, apiKeyDigest }) => keyIndexWrites(userId, apiKeyDigest));
  await mapConcurrently(index, (write) => table.write(write));
  return lacking.length;
}

/** The digest of the key under this secret; undefined when no key of the present version was issued. */
function digestFor({ userId, keyVersion, apiKeyDigest }: Account, secret: string): string {
  const isIssued = apiKeyDigest === undefined || isOfVersion(apiKeyDigest, keyVersion);
  return isIssued ? digestOfKey(deriveApiKey(secret, userId, keyVersion), keyVersion) : apiKeyDigest;
}

async function complete(services: Services, { account, digest, hash }: Lack): Promise<void> {
  const { table, ids } = services;
  const { userId, keyVersion } = account;
  const update: Write = {
    kind: 'update',
    key: userKeys.account(account.email),
    set: { apiKeyDigest: digest },
    ...(hash !== undefined && { remove: Object.keys(withoutHash) }),
    condition: { equals: { userId, keyVersion, ...(hash !== undefined && { passwordHash: hash }) } },
  };
  const kept = hash === undefined ? [] : [passwordWrite(userId, hash)];
  try {
    await retryConflicts(services, () =>
      table.transact([update, ...kept, ...keyIndexWrites(userId, digest)], ids.writeId()),
    );
  } catch (failure) {
    // The account has changed since it was read: the next run takes it.
    if (!(failure instanceof TransactionCanceled)) throw failure;
  }
}
