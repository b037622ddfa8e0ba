import type { ApiToken } from '#shared/domain/api-tokens/api-token.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import type { Services } from '#shared/runtime/services.ts';
import { positionOfSortKey } from '#shared/table/keys/log.ts';
import { signInKeys, signInPartitions, signInPrefixes } from '#shared/table/keys/sign-in.ts';
import { userPartitions } from '#shared/table/keys/users.ts';
import { type Item, recordOf, type Table } from '#shared/table/table.ts';

/** A process notes a further use of a token only after this time. */
const USE_INTERVAL_SECONDS = 60;
/** A process remembers this many tokens. */
const MAX_REMEMBERED = 10_000;

/** A use is forgotten after this time. */
const USE_KEPT_SECONDS = 366 * 24 * 3600;

const noted = new WeakMap<Table, Map<string, number>>();

const toApiToken = ({ pk: _pk, sk: _sk, ...token }: Item): ApiToken => recordOf<ApiToken>(token);

export async function findApiToken(
  table: Table,
  userId: number,
  tokenId: number,
): Promise<ApiToken | undefined> {
  const item = await table.find(signInKeys.apiToken(userId, tokenId));
  return item && toApiToken(item);
}

/** The user's tokens, oldest first, ended ones included. One query. */
export async function listApiTokens(table: Table, userId: number): Promise<ApiToken[]> {
  const items = await table.list({
    partition: userPartitions.user(userId),
    prefix: signInPrefixes.apiToken,
    consistent: true,
  });
  return items.map(toApiToken);
}

/** When each of the user's tokens was last used, to the minute, by id. */
export async function readTokenUses(table: Table, userId: number): Promise<Map<number, number>> {
  const items = await table.list({ partition: signInPartitions.tokenUses(userId), consistent: true });
  return new Map(
    items.map(({ sk, usedAtSeconds }) => [positionOfSortKey(String(sk)), Number(usedAtSeconds)]),
  );
}

/** Notes the use of a token, at most once a minute for each process. It never fails the request. */
export async function noteTokenUse(
  { table, clock }: Services,
  { userId, tokenId }: Pick<ApiToken, 'userId' | 'tokenId'>,
): Promise<void> {
  const nowSeconds = toSeconds(clock.nowMs());
  const uses = noted.get(table) ?? new Map<string, number>();
  noted.set(table, uses);
  const name = `${userId}/${tokenId}`;
  if (nowSeconds - (uses.get(name) ?? 0) < USE_INTERVAL_SECONDS) return;
  if (uses.size >= MAX_REMEMBERED) uses.clear();
  uses.set(name, nowSeconds);
  const set = { usedAtSeconds: nowSeconds, expiresAtSeconds: nowSeconds + USE_KEPT_SECONDS };
  try {
    await table.write(
      { kind: 'update', key: signInKeys.tokenUse(userId, tokenId), set },
      { mayBeLost: true },
    );
  } catch (failure) {
    logLine('warn', 'The use of an API token could not be recorded', describeFailure(failure));
  }
}
