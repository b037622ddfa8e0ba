import { positionSortKey } from './keys.ts';

/** The id of the nth job of the change at a position. */
export const jobIdAt = (position: number, n: number): string => `${positionSortKey(position)}-${n}`;

/** The position of the change that caused a job. */
export const positionOfJob = (jobId: string): number => Number(jobId.slice(0, jobId.indexOf('-')));
