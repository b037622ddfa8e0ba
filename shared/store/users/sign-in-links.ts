import { digestOfToken } from '#shared/domain/users/sessions/session.ts';
import { signInKeys } from '#shared/table/keys/sign-in.ts';
import { recordOf, type Table, type Write } from '#shared/table/table.ts';

/** Lets a person sign in once, without a password. */
export interface SignInLink {
  /** The address of the account. */
  email: string;
  /** Afterwards the link opens nothing; later the table forgets it. */
  expiresAtSeconds: number;
}

/** The link of a token, if it has not been used. One strongly consistent read. */
export async function findSignInLink(table: Table, token: string): Promise<SignInLink | undefined> {
  const item = await table.find(signInKeys.link(digestOfToken(token)));
  return item && recordOf<SignInLink>(item);
}

/** Keeps a link: the table knows the digest of its token alone. */
export const signInLinkWrite = (token: string, link: SignInLink): Extract<Write, { kind: 'put' }> => ({
  kind: 'put',
  item: { ...signInKeys.link(digestOfToken(token)), ...link },
});

/** Uses a link up; fails where another request has done so. */
export const signInLinkEnd = (token: string): Extract<Write, { kind: 'delete' }> => ({
  kind: 'delete',
  key: signInKeys.link(digestOfToken(token)),
  condition: { exists: true },
});
