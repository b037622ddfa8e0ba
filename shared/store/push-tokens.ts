import { BadRequest } from '#shared/domain/errors.ts';
import { MAX_TOKENS, type TokenKind } from '#shared/domain/push/token.ts';
import { keys, partitions, prefixes } from '#shared/table/keys.ts';
import { ConditionFailed, type Item, type Table } from '#shared/table/table.ts';

/** A device token of the older kind. Of the token itself only a digest is kept, as its key. */
export interface OwnToken {
  userId: number;
  kind: TokenKind;
  token: string;
}

/** @throws BadRequest for a user with too many */
export async function keepToken(
  table: Table,
  { userId, kind, token }: OwnToken,
  about: Item = {},
): Promise<void> {
  const own = { partition: partitions.user(userId), prefix: prefixes.pushToken, limit: MAX_TOKENS };
  const { items } = await table.page(own);
  const key = keys.pushToken(userId, kind, token);
  if (items.length >= MAX_TOKENS && !items.some(({ sk }) => sk === key.sk))
    throw new BadRequest(`You cannot have more than ${MAX_TOKENS} device tokens`);
  await table.write({ kind: 'put', item: { ...key, ...about } });
}

/** False when the user has no such token. */
export async function forgetToken(table: Table, { userId, kind, token }: OwnToken): Promise<boolean> {
  try {
    const key = keys.pushToken(userId, kind, token);
    await table.write({ kind: 'delete', key, condition: { exists: true } });
    return true;
  } catch (failure) {
    if (failure instanceof ConditionFailed) return false;
    throw failure;
  }
}
