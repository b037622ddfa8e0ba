import type { JobOf, JobType } from '#shared/domain/jobs.ts';
import { jobKeys, jobPartitions, positionOfJob } from '#shared/table/keys/jobs.ts';
import type { Item, Table, Write } from '#shared/table/table.ts';

/** The unfinished part of a job. */
export interface StoredJobOf<Type extends JobType> extends JobOf<Type> {
  jobId: string;
  /** The log position of its cause. */
  position: number;
  /** The open steps, ascending. */
  steps: number[];
  atMs: number;
}

/** The part of a stored job by which a step is recorded as done. */
export type OpenSteps = Pick<StoredJob, 'jobId' | 'steps'>;

/** The unfinished part of a job of any type. */
export type StoredJob = { [Type in JobType]: StoredJobOf<Type> }[JobType];

/** `commit` stored the payload together with its type, so both still fit. */
const toJob = ({ jobId, type, payload, steps, atMs }: Item): StoredJob =>
  ({
    jobId: String(jobId),
    position: positionOfJob(String(jobId)),
    type,
    payload,
    steps: [...(steps as Set<number>)].sort((a, b) => a - b),
    atMs: Number(atMs),
  }) as StoredJob;

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
export function stepDoneWrite(job: OpenSteps, step: number): Write {
  const key = jobKeys.job(job.jobId);
  const condition = { equals: { steps: new Set(job.steps) } };
  if (job.steps.length === 1) return { kind: 'delete', key, condition };
  return { kind: 'update', key, take: { steps: new Set([step]) }, condition };
}
