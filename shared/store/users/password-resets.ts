import { signInKeys } from '#shared/table/keys/sign-in.ts';
import { recordOf, type Table, type Write } from '#shared/table/table.ts';

/** Lets a person choose a new password without knowing the present one. An account has at most one, the newest. */
export interface PasswordReset {
  userId: number;
  /** Makes the key of each reset another. */
  salt: string;
  expiresAtSeconds: number;
}

/** The newest reset of an account, if it has not been used. One strongly consistent read. */
export async function findPasswordReset(table: Table, userId: number): Promise<PasswordReset | undefined> {
  const item = await table.find(signInKeys.reset(userId));
  return item && recordOf<PasswordReset>(item);
}

/** Keeps a reset, in the place of an earlier one. */
export const passwordResetWrite = (reset: PasswordReset): Extract<Write, { kind: 'put' }> => ({
  kind: 'put',
  item: { ...signInKeys.reset(reset.userId), ...reset },
});

/** Uses a reset up; fails where another request has done so, or there is a newer one. */
export const passwordResetEnd = ({ userId, salt }: PasswordReset): Write => ({
  kind: 'delete',
  key: signInKeys.reset(userId),
  condition: { equals: { salt } },
});
