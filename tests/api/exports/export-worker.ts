import { expect } from 'vitest';
import type { JobNotice, Services } from '#shared/runtime/services.ts';
import { listJobs } from '#shared/store/log/jobs.ts';
import { type Archive, downloadArchive, exportRecordOf } from '#tests/harness/archive.ts';
import type { Client } from '#tests/harness/client.ts';
import type { TestService } from '#tests/harness/service.ts';

/** Starts an export and returns its id. */
export async function startExport(client: Client, export_type = 'public'): Promise<number> {
  const { status, body } = await client.post('/export/realm', { export_type });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

export const openExport = async (client: Client, id: number): Promise<Archive> =>
  downloadArchive((await exportRecordOf(client, id)).export_url);

/** Services of a worker before each of whose files something happens. */
export const beforeFiles = (
  services: Services,
  act: (name: string, bytes: Uint8Array) => unknown,
): Services => ({
  ...services,
  files: {
    ...services.files,
    put: async (name, bytes) => {
      await act(name, bytes);
      await services.files.put(name, bytes);
    },
  },
});

/** The end of a process that works on an export. */
export class Crash extends Error {}

/** An export on which no worker works until the test has it done. */
export async function askForExport(
  { owner, services }: TestService,
  type = 'public',
): Promise<{ id: number; notice: JobNotice }> {
  services.bus.publish = async () => {};
  const id = await startExport(owner, type);
  const [job] = (await listJobs(services.table)).slice(-1);
  return { id, notice: { jobId: job!.jobId, type: 'export-data' } };
}
