import type { Change } from '#shared/domain/change.ts';
import type { Services } from '#shared/runtime/services.ts';

/** What was stored of something that is gone goes after it. */
export async function removeFiles(
  { files }: Services,
  { files: names }: { files: string[] },
): Promise<Change | undefined> {
  for (const name of names) await files.remove(name);
  return undefined;
}
