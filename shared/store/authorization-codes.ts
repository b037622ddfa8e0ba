import type { AuthorizationCode } from '#shared/domain/oauth/grant.ts';
import { signInKeys } from '#shared/table/keys/sign-in.ts';
import { recordOf, type Table } from '#shared/table/table.ts';

/** The code with this digest, used or not. */
export async function findAuthorizationCode(
  table: Table,
  userId: number,
  digest: string,
): Promise<AuthorizationCode | undefined> {
  const item = await table.find(signInKeys.authorizationCode(userId, digest));
  return item && recordOf<AuthorizationCode>(item);
}
