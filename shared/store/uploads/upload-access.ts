import { NotFound, Unauthorized } from '#shared/domain/errors.ts';
import { FILE_GONE, type Upload } from '#shared/domain/uploads/upload.ts';
import { spectator, type User } from '#shared/domain/users/user.ts';
import { requireSpectatorAccess } from '#shared/store/channels/spectators.ts';
import type { Table } from '#shared/table/table.ts';
import { listReadableUploads } from './uploads.ts';

/**
 * The upload at a path, if the caller may access it; anonymous callers may access files in messages of
 * public-to-web channels.
 * @throws NotFound both for missing files and for other users' files; Unauthorized for anonymous callers
 */
export async function getUploadFor(table: Table, caller: User | undefined, pathId: string): Promise<Upload> {
  if (!caller) await requireSpectatorAccess(table);
  const [upload] = await listReadableUploads(table, caller ?? { ...spectator }, [pathId]);
  if (upload) return upload;
  if (!caller) throw new Unauthorized();
  throw new NotFound(FILE_GONE);
}
