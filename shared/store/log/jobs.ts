import type { JobType } from '#shared/domain/change.ts';
import { jobKeys, jobPartitions, positionOfJob } from '#shared/table/keys/jobs.ts';
import type { Item, Table, Write } from '#shared/table/table.ts';

/** The unfinished part of a job. */
export interface StoredJob {
  jobId: string;
  /** The log position of its cause. */
  position: number;
  type: JobType;
  payload: Item;
  /** The open steps, ascending. */
  steps: number[];
  atMs: number;
}

const toJob = ({ jobId, type, payload, steps, atMs }: Item): StoredJob => ({
  jobId: String(jobId),
  position: positionOfJob(String(jobId)),
  type: type as JobType,
  payload: payload as Item,
  steps: [...(steps as Set<number>)].sort((a, b) => a - b),
  atMs: Number(atMs),
});

export async function findJob(table: Table, jobId: string): Promise<StoredJob | undefined> {
  const item = await table.find(jobKeys.job(jobId));
  return item && toJob(item);
}

/** All unfinished jobs, oldest first. */
export async function listJobs(table: Table): Promise<StoredJob[]> {
  const items = await table.list({ partition: jobPartitions.jobs(), consistent: true });
  return items.map(toJob);
}

/** Removes a step from its job on condition that no step has been done since the job was loaded. */
export function stepDoneWrite(job: StoredJob, step: number): Write {
  const key = jobKeys.job(job.jobId);
  const condition = { equals: { steps: new Set(job.steps) } };
  if (job.steps.length === 1) return { kind: 'delete', key, condition };
  return { kind: 'update', key, take: { steps: new Set([step]) }, condition };
}
