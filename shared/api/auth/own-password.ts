import { BadRequest, RateLimitHit } from '#shared/domain/errors.ts';
import type { Account } from '#shared/domain/users/user.ts';
import type { Services } from '#shared/runtime/services.ts';
import {
  countSignInAttempt,
  forgetSignInAttempts,
  type Origin,
} from '#shared/store/limits/sign-in-failures.ts';
import { findPasswordHash } from '#shared/store/users/passwords.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { isWeakPassword } from './weak-password.ts';

/** Longer texts only cost computation. */
const MAX_PASSWORD_LENGTH = 1000;
/** The origin of signed-in people: their attempts count wherever they are. */
const SIGNED_IN = 'signed in';

/**
 * The hash of a user's new password; undefined when none was given. Wrong old passwords count as failed
 * sign-ins.
 * @throws BadRequest for a wrong old password, too many of them, or a weak new one
 */
export async function newPasswordHash(
  services: Services,
  account: Account,
  oldPassword = '',
  newPassword?: string,
): Promise<string | undefined> {
  if (newPassword === undefined) return undefined;
  const origin = { email: account.email, network: SIGNED_IN };
  await countAttempt(services, origin);
  const input = oldPassword.slice(0, MAX_PASSWORD_LENGTH);
  const { passwordCost } = services.config;
  const hash = await findPasswordHash(services.table, account);
  if (!(await verifyPassword(input, hash, passwordCost))) throw new BadRequest('Wrong password!');
  await forgetSignInAttempts(services, origin);
  if (await isWeakPassword(newPassword, [account.fullName, account.email]))
    throw new BadRequest('New password is too weak!');
  return hashPassword(newPassword, passwordCost);
}

async function countAttempt(services: Services, origin: Origin): Promise<void> {
  try {
    await countSignInAttempt(services, origin);
  } catch (failure) {
    if (!(failure instanceof RateLimitHit)) throw failure;
    const seconds = failure.fields['retry-after'];
    throw new BadRequest(`You're making too many attempts! Try again in ${seconds} seconds.`);
  }
}
