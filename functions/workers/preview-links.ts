import { awsServices } from '#shared/adapters/aws-services.ts';
import type { JobNotice, Services } from '#shared/runtime/services.ts';
import { findJob } from '#shared/store/log/jobs.ts';
import { isDeleted } from '#shared/store/organization/organization.ts';
import { previewLinks } from './steps/preview-links.ts';
import { runSteps } from './steps/run-steps.ts';

/** Does a job of previews. Its worker converts pictures, and may do nothing that other jobs need. */
export async function runPreviewJob(services: Services, { jobId }: JobNotice): Promise<void> {
  if (await isDeleted(services)) return;
  const job = await findJob(services.table, jobId);
  if (job?.type === 'preview-links') await runSteps(services, job, async () => previewLinks);
}

/** EventBridge delivers one notice per call. */
export const handler = (event: { detail: JobNotice }): Promise<void> =>
  runPreviewJob(awsServices(), event.detail);
