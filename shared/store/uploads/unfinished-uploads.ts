import { NotFound } from '#shared/domain/errors.ts';
import { endOf, type UnfinishedUpload } from '#shared/domain/uploads/unfinished.ts';
import { FILE_GONE } from '#shared/domain/uploads/upload.ts';
import { uploadKeys, uploadPartitions } from '#shared/table/keys/uploads.ts';
import { type Item, recordOf, type Table } from '#shared/table/table.ts';

const toUnfinished = ({ pk: _pk, sk: _sk, due: _due, dueAtSeconds: _at, ...unfinished }: Item) =>
  recordOf<UnfinishedUpload>(unfinished);

/** An incomplete upload of the owner. @throws NotFound after it has ended, and for another user's */
export async function getUnfinished(
  table: Table,
  ownerId: number,
  token: string,
  nowSeconds: number,
): Promise<UnfinishedUpload> {
  const item = TOKEN.test(token) ? await table.find(uploadKeys.unfinished(ownerId, token)) : undefined;
  const unfinished = item && toUnfinished(item);
  if (!unfinished || endOf(unfinished) <= nowSeconds) throw new NotFound(FILE_GONE);
  return unfinished;
}

const TOKEN = /^[0-9a-f-]{36}$/;

/** Expired incomplete uploads, oldest first. */
export async function listEndedUnfinished(
  table: Table,
  nowSeconds: number,
  limit: number,
): Promise<UnfinishedUpload[]> {
  const { items } = await table.page({
    index: 'byDueTime',
    partition: uploadPartitions.unfinished(),
    to: nowSeconds,
    limit,
  });
  return items.map(toUnfinished);
}
