import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findExport, getProgress } from '#shared/store/exports.ts';
import { archiveFile } from './join.ts';
import { contentsFile, partFile, planFilesOf } from './parts.ts';

/** An aborted run may have stored this many unrecorded parts: the parts of the largest state. */
const MAX_UNRECORDED_PARTS = 100;

/** Deletes the stored parts of an export and, after its deletion, the archive. */
export async function cleanUpExport(
  services: Services,
  exportId: number,
  deletedFile: string | undefined,
): Promise<void> {
  const [{ run: lastRun, parts }, known] = await Promise.all([
    getProgress(services.table, exportId),
    findExport(services.table, exportId),
  ]);
  const runs = Array.from({ length: lastRun }, (_, index) => index + 1);
  const unrecorded = lastRun > 1 ? MAX_UNRECORDED_PARTS : 0;
  const indexes = Array.from({ length: parts.length + unrecorded }, (_, index) => index);
  const partFiles = runs.flatMap((run) => indexes.map((index) => partFile(exportId, index, run)));
  const files = [
    ...(deletedFile === undefined ? [] : [deletedFile]),
    ...planFilesOf(exportId, runs),
    ...runs.map((run) => archiveFile(exportId, run)),
    ...partFiles,
    ...partFiles.map(contentsFile),
  ];
  await mapConcurrently(
    files.filter((file) => file !== known?.file),
    (file) => services.files.remove(file),
  );
}
