import { NotFound } from '#shared/domain/errors.ts';
import { FILE_GONE } from '#shared/domain/uploads/upload.ts';
import type { Services } from '#shared/runtime/services.ts';

/** The stored data of an upload. @throws NotFound if it was deleted in the meantime */
export async function getStoredFile({ files }: Services, name: string): Promise<Uint8Array> {
  const bytes = await files.find(name);
  if (!bytes) throw new NotFound(FILE_GONE);
  return bytes;
}
