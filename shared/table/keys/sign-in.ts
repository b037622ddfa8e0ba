import { idSortKey, type Key } from './key.ts';
import { REQUESTS_PREFIX } from './limits.ts';
import { userPartitions } from './users.ts';

/** The prefix of partitions with password hashes, which only sign-in functions may access. */
export const PASSWORDS_PREFIX = 'PASSWORD#';

export const signInPartitions = {
  /** When tokens were last used; among the request counts, which every function writes. */
  tokenUses: (userId: number) => `${REQUESTS_PREFIX}tokens of user ${userId}`,
  invitations: () => 'INVITATIONS',
  /** Invitations to an address, one per inviter. */
  invited: (email: string) => `INVITED#${email.toLowerCase()}`,
  endingInvitations: () => 'ENDING_INVITATIONS',
};

export const signInPrefixes = { apiToken: 'API_TOKEN#' };

export const signInKeys = {
  /** Failures from one network, or all of an account. */
  failures: (email: string, network?: string): Key => ({
    pk: `SIGN_IN#${email.toLowerCase()}`,
    sk: network === undefined ? 'FAILURES' : `FAILURES#${network}`,
  }),
  /** A network from which the account has signed in. */
  network: (email: string, network: string): Key => ({
    pk: `SIGN_IN#${email.toLowerCase()}`,
    sk: `NETWORK#${network}`,
  }),
  /** A link that signs its account in once, by the digest of its token. */
  link: (digest: string): Key => ({ pk: `SIGN_IN_LINK#${digest}`, sk: 'LINK' }),
  /** A pending reset of the account's password. */
  reset: (userId: number): Key => ({ pk: `PASSWORD_RESET#${userId}`, sk: 'RESET' }),
  /** Counts requested reset mails from a network address, or to an e-mail address. */
  resetCount: (subject: string): Key => ({ pk: `PASSWORD_RESET#${subject.toLowerCase()}`, sk: 'COUNT' }),
  /** The password hash of an account. Its key does not depend on the account's address. */
  password: (userId: number): Key => ({ pk: `${PASSWORDS_PREFIX}${userId}`, sk: 'PASSWORD' }),
  /** When accounts were last checked for leftovers of earlier versions. */
  lookedThrough: (): Key => ({ pk: 'ACCOUNTS_LOOKED_THROUGH', sk: 'ACCOUNTS_LOOKED_THROUGH' }),
  /** The account of an API key, by the digest of the key. */
  apiKey: (digest: string): Key => ({ pk: `API_KEY#${digest}`, sk: 'API_KEY' }),
  apiToken: (userId: number, tokenId: number): Key => ({
    pk: userPartitions.user(userId),
    sk: `${signInPrefixes.apiToken}${idSortKey(tokenId)}`,
  }),
  tokenUse: (userId: number, tokenId: number): Key => ({
    pk: signInPartitions.tokenUses(userId),
    sk: idSortKey(tokenId),
  }),
  /** By the digest of the code's secret. */
  authorizationCode: (userId: number, digest: string): Key => ({
    pk: userPartitions.user(userId),
    sk: `OAUTH_CODE#${digest}`,
  }),
  /** The unconfirmed new address of a person. */
  addressChange: (userId: number): Key => ({ pk: `ADDRESS_CHANGE#${userId}`, sk: 'CHANGE' }),
  /** Counts mails that confirm a new address, by user or by address. */
  addressChangeCount: (subject: string): Key => ({
    pk: `ADDRESS_CHANGE#${subject.toLowerCase()}`,
    sk: 'COUNT',
  }),
  invitation: (invitationId: number): Key => ({
    pk: signInPartitions.invitations(),
    sk: idSortKey(invitationId),
  }),
  invited: (email: string, inviterId: number): Key => ({
    pk: signInPartitions.invited(email),
    sk: idSortKey(inviterId),
  }),
};
