import type { DataExport } from '#shared/domain/exports/export.ts';
import type { Services } from '#shared/runtime/services.ts';
import { type ExportProgress, getProgress, putProgress } from '#shared/store/exports.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import { ExportImpossible, joinParts } from './join.ts';
import { writeNextParts } from './parts.ts';

/** A run without progress for this long counts as crashed. */
const LEASE_MS = 10 * 60_000;
/** The export fails after this many runs without progress. */
const MAX_FAILURES = 8;

/** Another run has taken over the export. */
export class Superseded extends Error {}

/** Starts a run; undefined while another one is active. */
export async function takeLease(services: Services, exportId: number): Promise<ExportProgress | undefined> {
  const progress = await getProgress(services.table, exportId);
  const nowMs = services.clock.nowMs();
  if (progress.leasedUntilMs > nowMs) return undefined;
  const next: ExportProgress = {
    ...progress,
    run: progress.run + 1,
    failures: progress.failures + 1,
    leasedUntilMs: nowMs + LEASE_MS,
  };
  return (await store(services, next, progress.run)) ? next : undefined;
}

/** Lets another run start at once. A run that ended properly is not a failure. */
export async function returnLease(
  services: Services,
  progress: ExportProgress,
  { hasFailed }: { hasFailed: boolean },
): Promise<void> {
  const failures = hasFailed ? progress.failures : 0;
  await store(services, { ...progress, leasedUntilMs: 0, failures }, progress.run);
}

async function store(services: Services, progress: ExportProgress, afterRun: number): Promise<boolean> {
  try {
    await putProgress(services.table, progress, afterRun);
    return true;
  } catch (failure) {
    if (failure instanceof ConditionFailed) return false;
    throw failure;
  }
}

/** How an export ended: with an archive, or with the reason of its failure. */
export type ExportEnd = { file: string } | { reason: string };

/** The result of a run: more parts, or the end of the export. */
export type Outcome = { progress: ExportProgress } | ExportEnd;

/** The next slice of a run. @throws Superseded */
export async function goOn(
  services: Services,
  asked: DataExport,
  progress: ExportProgress,
): Promise<Outcome> {
  if (progress.failures > MAX_FAILURES) return { reason: 'It was tried many times.' };
  try {
    const advance = await writeNextParts(services, asked, progress);
    if (!advance) return { file: await joinParts(services, asked, progress) };
    const leasedUntilMs = services.clock.nowMs() + LEASE_MS;
    // The first slice of a run counts as its success.
    const next = { ...progress, ...advance, failures: 1, leasedUntilMs };
    if (!(await store(services, next, progress.run))) throw new Superseded();
    return { progress: next };
  } catch (failure) {
    if (failure instanceof ExportImpossible) return { reason: failure.message };
    throw failure;
  }
}
