import type { Change } from '#shared/domain/change.ts';
import type { Services } from '#shared/runtime/services.ts';

/** Deletes the stored data of deleted files. */
export async function removeFiles(
  { files }: Services,
  { files: names }: { files: string[] },
): Promise<Change | undefined> {
  for (const name of names) await files.remove(name);
  return undefined;
}
