import { idSortKey, type Key } from './key.ts';

export const jobPartitions = {
  jobs: () => 'JOBS',
  /** Scheduled messages and feeds, so that one read finds everything that is due. */
  due: () => 'DUE',
};

export const jobKeys = { job: (jobId: string): Key => ({ pk: jobPartitions.jobs(), sk: jobId }) };

/** The id of the nth job of the change at a position. */
export const jobIdAt = (position: number, n: number): string => `${idSortKey(position)}-${n}`;

/** The position of the change that caused a job. */
export const positionOfJob = (jobId: string): number => Number(jobId.slice(0, jobId.indexOf('-')));
