import { exportSteps } from '#shared/domain/exports/changes.ts';
import { commitSilently, withFreshState } from '#shared/log/commit.ts';
import { cleanUpExport } from '#shared/log/exports/clean-up.ts';
import { goOn, returnLease, Superseded, takeLease } from '#shared/log/exports/run.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import type { JobNotice, Services } from '#shared/runtime/services.ts';
import { type ExportProgress, findExport } from '#shared/store/exports.ts';
import { findJob, type StoredJob, stepDoneWrite } from '#shared/store/jobs.ts';
import { keys } from '#shared/table/keys.ts';

/** A function on AWS may run for a quarter of an hour; what is under way then has to end in time. */
const RUN_MS = 4 * 60_000;
/** The sweep gives jobs up after three days; an export that is this old ends as a failure before. */
const MAX_AGE_MS = 24 * 3600 * 1000;

/**
 * Makes an export, slice by slice, and then takes away whatever it left. Each slice is written down when it is done, so
 * that another run goes on behind it; several at once do no harm.
 */
export async function exportData(services: Services, notice: JobNotice): Promise<void> {
  const job = await findJob(services.table, notice.jobId);
  if (!job) return;
  if (job.steps.includes(exportSteps.export) && !(await makeExport(services, notice, job))) return;
  await withFreshState(services, async () => {
    const left = await findJob(services.table, notice.jobId);
    if (!left) return;
    const { exportId, file } = left.payload as { exportId: number; file?: string };
    await cleanUpExport(services, exportId, file);
    await commitSilently(services, [
      { kind: 'delete', key: keys.exportProgress(exportId) },
      stepDoneWrite(left, exportSteps.cleanUp),
    ]);
  });
}

/** Whether the export has ended; otherwise it goes on in another run. */
async function makeExport(services: Services, notice: JobNotice, job: StoredJob): Promise<boolean> {
  const exportId = Number(job.payload.exportId);
  const leased = await takeLease(services, exportId);
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
  // Loaded late: to write the message needs as much as all the rest.
  const { endExport } = await import('#shared/log/exports/end.ts');
  await withFreshState(services, async () => {
    const job = await findJob(services.table, notice.jobId);
    if (job?.steps.includes(exportSteps.export))
      await endExport(services, asked, outcome, [stepDoneWrite(job, exportSteps.export)]);
  });
  return undefined;
}

/** EventBridge hands over one notice. */
export const handler = (event: { detail: JobNotice }): Promise<void> =>
  exportData(awsServices(), event.detail);
