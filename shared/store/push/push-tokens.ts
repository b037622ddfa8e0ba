import { BadRequest } from '#shared/domain/errors.ts';
import { checkToken, MAX_TOKENS, type TokenKind, tokenKinds } from '#shared/domain/push/token.ts';
import { userKeys, userPartitions, userPrefixes } from '#shared/table/keys/users.ts';
import { ConditionFailed, type Item, type Table } from '#shared/table/table.ts';

/** A device token of the older kind. Only a digest of the token is stored, as its key. */
export interface OwnToken {
  userId: number;
  kind: TokenKind;
  token: string;
}

/** @throws BadRequest for a malformed token, or when the user has too many */
export async function keepToken(
  table: Table,
  { userId, kind, token }: OwnToken,
  about: Item = {},
): Promise<void> {
  checkToken(kind, token);
  const own = { partition: userPartitions.user(userId), prefix: userPrefixes.pushToken, limit: MAX_TOKENS };
  const { items } = await table.page(own);
  const key = userKeys.pushToken(userId, kind, token);
  if (items.length >= MAX_TOKENS && !items.some(({ sk }) => sk === key.sk))
    throw new BadRequest(`You cannot have more than ${MAX_TOKENS} device tokens`);
  await table.write({ kind: 'put', item: { ...key, ...about } });
}

/** Whether the user has this token, of either kind. Two reads. */
export async function hasToken(table: Table, userId: number, token: string): Promise<boolean> {
  const found = await table.findMany(tokenKinds.map((kind) => userKeys.pushToken(userId, kind, token)));
  return found.length > 0;
}

/** @throws BadRequest for a malformed token, or one that the user does not have */
export async function forgetToken(table: Table, { userId, kind, token }: OwnToken): Promise<void> {
  checkToken(kind, token);
  try {
    const key = userKeys.pushToken(userId, kind, token);
    await table.write({ kind: 'delete', key, condition: { exists: true } });
  } catch (failure) {
    if (failure instanceof ConditionFailed) throw new BadRequest('Token does not exist');
    throw failure;
  }
}
