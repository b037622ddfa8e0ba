import { pathIdOf } from '#shared/domain/uploads/upload.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { KnownUpload } from '#shared/markdown/known.ts';
import type { Table } from '#shared/table/table.ts';
import { listReadableUploads } from './uploads.ts';

/** The files among those that a text names that its author may have. */
export async function listKnownUploads(table: Table, author: User, paths: string[]): Promise<KnownUpload[]> {
  const uploads = await listReadableUploads(table, author, paths);
  return uploads.map((upload) => ({ pathId: pathIdOf(upload) }));
}
