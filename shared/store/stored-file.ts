import { NotFound } from '#shared/domain/errors.ts';
import type { Services } from '#shared/runtime/services.ts';

/** What is stored of an upload. @throws NotFound for what was removed meanwhile */
export async function getStoredFile({ files }: Services, name: string): Promise<Uint8Array> {
  const bytes = await files.find(name);
  if (!bytes) throw new NotFound('This file does not exist or has been deleted.');
  return bytes;
}
