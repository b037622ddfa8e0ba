import { NotFound, Unauthorized } from '#shared/domain/errors.ts';
import { FILE_GONE, type Upload } from '#shared/domain/uploads/upload.ts';
import { spectator, type User } from '#shared/domain/users/user.ts';
import type { Table } from '#shared/table/table.ts';
import { requireSpectatorAccess } from './spectators.ts';
import { listReadableUploads } from './uploads.ts';

/**
 * The upload at a path, if the caller may have it; without an account, what a message of a channel names that is open to
 * everybody. @throws NotFound for what is not there just as for what is not theirs; Unauthorized without an account
 */
export async function getUploadFor(table: Table, caller: User | undefined, pathId: string): Promise<Upload> {
  if (!caller) await requireSpectatorAccess(table);
  const [upload] = await listReadableUploads(table, caller ?? { ...spectator }, [pathId]);
  if (upload) return upload;
  if (!caller) throw new Unauthorized();
  throw new NotFound(FILE_GONE);
}
