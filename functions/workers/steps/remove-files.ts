import type { Change } from '#shared/domain/change.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import type { Services } from '#shared/runtime/services.ts';

/** Deletes the stored data of deleted files. */
export async function removeFiles(
  { files }: Services,
  { files: names }: JobPayloads['remove-files'],
): Promise<Change | undefined> {
  for (const name of names) await files.remove(name);
  return undefined;
}
