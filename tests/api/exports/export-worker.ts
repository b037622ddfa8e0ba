import { expect } from 'vitest';
import type { JobNotice } from '#shared/runtime/services.ts';
import { listJobs } from '#shared/store/log/jobs.ts';
import type { TestService } from '#tests/harness/service.ts';

/** The end of a process that works on an export. */
export class Crash extends Error {}

/** An export on which no worker works until the test has it done. */
export async function askForExport(
  { owner, services }: TestService,
  type = 'public',
): Promise<{ id: number; notice: JobNotice }> {
  services.bus.publish = async () => {};
  const { status, body } = await owner.post('/export/realm', { export_type: type });
  expect(status).toBe(200);
  const [job] = (await listJobs(services.table)).slice(-1);
  return { id: body.id, notice: { jobId: job!.jobId, type: 'export-data' } };
}
