import { BadRequest } from '#shared/domain/errors.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findPasswordReset, type PasswordReset } from '#shared/store/users/password-resets.ts';
import { deriveKey, isSameSecret } from './api-key.ts';

const RESET_KEY = /^[A-Za-z0-9]{32}(\d{1,10})$/;

/** The end of a mailed link: letters and digits derived under the service's secret, then the user's id. Not stored. */
export const derivePasswordResetKey = (
  secret: string,
  { userId, salt }: Pick<PasswordReset, 'userId' | 'salt'>,
): string => `${deriveKey(secret, `password-reset:${userId}:${salt}`)}${userId}`;

/**
 * The reset that a key belongs to, while it is open.
 * @throws BadRequest for every other key, with the same words whatever is wrong with it
 */
export async function getPasswordResetByKey(services: Services, key: string): Promise<PasswordReset> {
  const { table, clock } = services;
  const [, id] = RESET_KEY.exec(key) ?? [];
  const reset = id === undefined ? undefined : await findPasswordReset(table, Number(id));
  const expected = derivePasswordResetKey(await services.secret(), reset ?? { userId: 0, salt: '' });
  const isOpen = reset !== undefined && reset.expiresAtSeconds > toSeconds(clock.nowMs());
  if (!isSameSecret(key, expected) || !isOpen) throw new BadRequest('This link was used, or has expired.');
  return reset;
}
