/** When the present request must be answered. */
let deadlineMs = Number.POSITIVE_INFINITY;

/**
 * Starts the deadline of a request. A Lambda function answers one request at a time, so there is one deadline
 * per process. The local service answers many at once and sets none.
 */
export function beginRequest(withinMs: number): void {
  deadlineMs = performance.now() + withinMs;
}

/** The remaining milliseconds of the request; infinite without a deadline. */
export const remainingMs = (): number => deadlineMs - performance.now();
