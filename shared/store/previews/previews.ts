import { createHash } from 'node:crypto';
import type { Preview } from '#shared/domain/previews/cards.ts';
import type { PreviewLink } from '#shared/domain/previews/links.ts';
import { messageKeys } from '#shared/table/keys/log.ts';
import type { Table } from '#shared/table/table.ts';

const KEPT_SECONDS = 7 * 24 * 3600;
const FAILURE_KEPT_SECONDS = 3600;

/** A preview with a title is another one than the same without. */
const keyOf = ({ kind, source, titleSource = '' }: PreviewLink) =>
  messageKeys.linkPreview(createHash('sha256').update(`${kind} ${source}${titleSource}`).digest('hex'));

/** The recently fetched preview of a link; an empty preview for a failure. */
export async function findPreview(
  table: Table,
  link: PreviewLink,
  nowSeconds: number,
): Promise<Preview | undefined> {
  const item = await table.find(keyOf(link), { eventually: true });
  if (!item || Number(item.expiresAtSeconds) <= nowSeconds) return undefined;
  return item.preview as Preview;
}

/** Keeps a preview for a week, and one that failed, or lacks its picture, for an hour. */
export async function keepPreview(
  table: Table,
  link: PreviewLink,
  { preview, isWhole, nowSeconds }: { preview: Preview; isWhole: boolean; nowSeconds: number },
): Promise<void> {
  const expiresAtSeconds = nowSeconds + (isWhole ? KEPT_SECONDS : FAILURE_KEPT_SECONDS);
  await table.write({ kind: 'put', item: { ...keyOf(link), preview: { ...preview }, expiresAtSeconds } });
}
