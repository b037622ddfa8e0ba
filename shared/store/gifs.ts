import { createHash } from 'node:crypto';
import type { GifPage, GifSearch } from '#shared/domain/gifs/gifs.ts';
import { messageKeys } from '#shared/table/keys/log.ts';
import type { Table } from '#shared/table/table.ts';

const KEPT_SECONDS = 600;

const keyOf = (provider: string, { query, next, rating }: GifSearch) =>
  messageKeys.gifPage(
    createHash('sha256')
      .update(JSON.stringify([provider, rating, query, next]))
      .digest('hex'),
  );

/** The provider's answer to the same search within the last ten minutes. */
export async function findGifPage(
  table: Table,
  provider: string,
  search: GifSearch,
  nowSeconds: number,
): Promise<GifPage | undefined> {
  const item = await table.find(keyOf(provider, search), { eventually: true });
  if (!item || Number(item.expiresAtSeconds) <= nowSeconds) return undefined;
  return item.page as GifPage;
}

/** Keeps an answer for ten minutes. */
export async function keepGifPage(
  table: Table,
  provider: string,
  search: GifSearch,
  { page, nowSeconds }: { page: GifPage; nowSeconds: number },
): Promise<void> {
  const expiresAtSeconds = nowSeconds + KEPT_SECONDS;
  await table.write({
    kind: 'put',
    item: { ...keyOf(provider, search), page: { ...page }, expiresAtSeconds },
  });
}
