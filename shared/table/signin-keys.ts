import type { Key } from './keys.ts';

export const signInKeys = {
  /** A link that signs its account in once, by the digest of its token. */
  link: (digest: string): Key => ({ pk: `SIGN_IN_LINK#${digest}`, sk: 'LINK' }),
  /** By what an account gets another password. */
  reset: (userId: number): Key => ({ pk: `PASSWORD_RESET#${userId}`, sk: 'RESET' }),
  /** How many mails were asked for from a network address, or to an e-mail address. */
  resetCount: (subject: string): Key => ({ pk: `PASSWORD_RESET#${subject.toLowerCase()}`, sk: 'COUNT' }),
};
