/** Why a password that an administrator or operator chose is refused. For them the reason is no secret. */
export const WEAK_PASSWORD =
  'known words, the name or address of its user, rows of keys and repetitions are soon guessed.';

/**
 * Whether a password is too easily guessed. `about` are words related to its owner. The first call loads the
 * list of common passwords.
 */
export async function isWeakPassword(password: string, about: string[]): Promise<boolean> {
  const { isSoonGuessed } = await import('#shared/domain/settings/password-strength.ts');
  return isSoonGuessed(password, about);
}
