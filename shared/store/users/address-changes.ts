import { digestOfToken } from '#shared/domain/users/sessions/session.ts';
import { signInKeys } from '#shared/table/keys/sign-in.ts';
import { recordOf, type Table, type Write } from '#shared/table/table.ts';

/** A new address that its person has to confirm by a mailed link. An account has one, the newest. */
export interface AddressChange {
  userId: number;
  /** The address of the account when the mail was sent. */
  from: string;
  to: string;
  /** The digest of the token in the link. */
  tokenDigest: string;
  /** Afterwards the link does nothing; later the table forgets it. */
  expiresAtSeconds: number;
}

/** The newest unconfirmed address of an account, if the token belongs to it. One strongly consistent read. */
export async function findAddressChange(
  table: Table,
  userId: number,
  token: string,
): Promise<AddressChange | undefined> {
  const item = await table.find(signInKeys.addressChange(userId));
  return item?.tokenDigest === digestOfToken(token) ? recordOf<AddressChange>(item) : undefined;
}

/** Keeps a new address, in the place of an earlier one. */
export const addressChangeWrite = (change: AddressChange): Extract<Write, { kind: 'put' }> => ({
  kind: 'put',
  item: { ...signInKeys.addressChange(change.userId), ...change },
});

/** Uses the link up; fails where another request has done so, or there is a newer one. */
export const addressChangeEnd = ({ userId, tokenDigest }: AddressChange): Write => ({
  kind: 'delete',
  key: signInKeys.addressChange(userId),
  condition: { equals: { tokenDigest } },
});
