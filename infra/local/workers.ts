import { exportData } from '#functions/workers/export-data.ts';
import { runPreviewJob } from '#functions/workers/preview-links.ts';
import { runJob } from '#functions/workers/run-job.ts';
import { eraseOrganization } from '#shared/actions/organization/erase-organization.ts';
import { type JobType, jobsWithWorkers } from '#shared/domain/jobs.ts';
import type { JobNotice, Services } from '#shared/runtime/services.ts';

type Worker = (services: Services, notice: JobNotice) => Promise<void>;

const ownWorkers: Record<(typeof jobsWithWorkers)[number], Worker> = {
  'export-data': exportData,
  'preview-links': runPreviewJob,
  'erase-organization': eraseOrganization,
};

/** The function that does jobs of a type, and its name. */
export function workerOf(type: JobType): { name: string; work: Worker } {
  const own = jobsWithWorkers.find((job) => job === type);
  return own ? { name: own, work: ownWorkers[own] } : { name: 'run-job', work: runJob };
}
