const HOUR_MS = 3600 * 1000;
/** How often the sweep is called. */
const CALL_INTERVAL_MS = 5 * 60 * 1000;

/** The due work of the sweep. */
export interface SweepWork {
  /** Positions of the log that no sweep has processed, holes among them. */
  untended: number;
  /** Segments that the search index could take. */
  segments: number;
  jobs: number;
  overdue: number;
}

/**
 * Whether a call of the sweep has something to do: at once if there is work, otherwise by the first call of an hour,
 * which removes what has expired.
 */
export const isSweepDue = (nowMs: number, { untended, segments, jobs, overdue }: SweepWork): boolean =>
  untended > 0 || segments > 0 || jobs > 0 || overdue > 0 || nowMs % HOUR_MS < CALL_INTERVAL_MS;
