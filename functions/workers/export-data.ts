import { awsServices } from '#shared/adapters/aws-services.ts';
import { exportSteps } from '#shared/domain/exports/changes.ts';
import { cleanUpExport } from '#shared/exports/clean-up.ts';
import { goOn, returnLease, Superseded, takeLease } from '#shared/exports/run.ts';
import { commitSilently, withFreshState } from '#shared/log/commit.ts';
import type { JobNotice, Services } from '#shared/runtime/services.ts';
import { type ExportProgress, findExport } from '#shared/store/exports.ts';
import { findJob, type StoredJobOf, stepDoneWrite } from '#shared/store/log/jobs.ts';
import { isDeleted } from '#shared/store/organization/organization.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

/** Lambda allows 15 minutes; the slice under way must end within them. */
const RUN_MS = 4 * 60_000;
/** The sweep gives jobs up after three days; an export of this age fails before that. */
const MAX_AGE_MS = 24 * 3600 * 1000;

/**
 * Makes an export slice by slice and then deletes temporary files. Each slice is recorded when it is done, so
 * that another run can continue after it; parallel runs are harmless.
 */
export async function exportData(services: Services, notice: JobNotice): Promise<void> {
  if (await isDeleted(services)) return;
  const job = await findJob(services.table, notice.jobId);
  if (job?.type !== 'export-data') return;
  if (job.steps.includes(exportSteps.export) && !(await makeExport(services, notice, job))) return;
  await withFreshState(services, async () => {
    const left = await findJob(services.table, notice.jobId);
    if (!left) return;
    const { exportId, file } = job.payload;
    await cleanUpExport(services, exportId, file);
    await commitSilently(services, [
      { kind: 'delete', key: organizationKeys.exportProgress(exportId) },
      stepDoneWrite(left, exportSteps.cleanUp),
    ]);
  });
}

/** Whether the export has ended; otherwise another run continues it. */
async function makeExport(
  services: Services,
  notice: JobNotice,
  job: StoredJobOf<'export-data'>,
): Promise<boolean> {
  const leased = await takeLease(services, job.payload.exportId);
  if (!leased) return false;
  let progress: ExportProgress = leased;
  try {
    const untilMs = services.clock.nowMs() + RUN_MS;
    while (services.clock.nowMs() < untilMs) {
      const next = await goOnOrEnd(services, notice, progress);
      if (!next) return true;
      progress = next;
    }
  } catch (failure) {
    if (failure instanceof Superseded) return false;
    await returnLease(services, progress, { hasFailed: true });
    throw failure;
  }
  await returnLease(services, progress, { hasFailed: false });
  await services.bus.publish([notice]);
  return false;
}

/** Does the next slice; undefined when the export has ended. */
async function goOnOrEnd(
  services: Services,
  notice: JobNotice,
  progress: ExportProgress,
): Promise<ExportProgress | undefined> {
  const asked = await findExport(services.table, progress.exportId);
  if (asked?.status !== 'pending') return undefined;
  const isTooOld = services.clock.nowMs() - asked.requestedAtMs > MAX_AGE_MS;
  const outcome = isTooOld ? { reason: 'It took too long.' } : await goOn(services, asked, progress);
  if ('progress' in outcome) return outcome.progress;
  // Loaded late: writing the message needs as much code as all the rest.
  const { endExport } = await import('#shared/exports/end.ts');
  await withFreshState(services, async () => {
    const job = await findJob(services.table, notice.jobId);
    if (job?.steps.includes(exportSteps.export))
      await endExport(services, asked, outcome, [stepDoneWrite(job, exportSteps.export)]);
  });
  return undefined;
}

/** EventBridge delivers one notice per call. */
export const handler = (event: { detail: JobNotice }): Promise<void> =>
  exportData(awsServices(), event.detail);
