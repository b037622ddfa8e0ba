import { networkOf } from '#shared/api/request-limit.ts';
import { AuthenticationFailed, UserDeactivated } from '#shared/domain/errors.ts';
import { checkEmail } from '#shared/domain/users/create.ts';
import type { Account } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import { countSignInAttempt, forgetSignInAttempts } from '#shared/store/limits/sign-in-failures.ts';
import { findPasswordHash } from '#shared/store/users/passwords.ts';
import { findAccount } from '#shared/store/users/users.ts';
import { signInKeys } from '#shared/table/keys/sign-in.ts';
import { unlessChanged } from '#shared/table/table.ts';
import { hashPassword, isOutdated, verifyPassword } from './password.ts';

/** Longer texts only cost computation. */
const MAX_PASSWORD_LENGTH = 1000;

/**
 * The account of a person who knows its password. Too many wrong passwords block the account for a while, for the
 * network that they come from.
 * @throws AuthenticationFailed, UserDeactivated, RateLimitHit, BadRequest for a malformed address
 */
export async function signInByPassword(
  services: Services,
  input: { username: string; password: string },
  clientAddress: string,
): Promise<Account> {
  const origin = { email: checkEmail(input.username), network: networkOf(clientAddress) };
  await countSignInAttempt(services, origin);
  // Accounts of earlier versions may have another spelling.
  const account = await findAccount(services.table, input.username.trim());
  const password = input.password.slice(0, MAX_PASSWORD_LENGTH);
  const hash = await findPasswordHash(services.table, account);
  const isRight = await verifyPassword(password, hash, services.config.passwordCost);
  if (!account || !isRight) throw new AuthenticationFailed();
  if (!account.isActive) throw new UserDeactivated();
  await renewHash(services, account, { password, hash });
  await forgetSignInAttempts(services, origin);
  return account;
}

/** Replaces a hash of an earlier release or another cost, which needs the password. */
async function renewHash(
  { table, config }: Services,
  { userId }: Account,
  { password, hash }: { password: string; hash: string | undefined },
): Promise<void> {
  if (!isOutdated(hash, config.passwordCost)) return;
  const set = { passwordHash: await hashPassword(password, config.passwordCost) };
  const condition = { equals: { passwordHash: hash } };
  await unlessChanged(() =>
    table.write({ kind: 'update', key: signInKeys.password(userId), set, condition }),
  );
}
