/** When the request that this process answers has to be answered. */
let deadlineMs = Number.POSITIVE_INFINITY;

/**
 * Says how long the request that begins now may take. A Lambda function answers one request at a time, so there is
 * one deadline for the process. The local service, which answers many, sets none.
 */
export function beginRequest(withinMs: number): void {
  deadlineMs = performance.now() + withinMs;
}

/** What is left of the time of the request, in milliseconds; infinite where nothing limits it. */
export const remainingMs = (): number => deadlineMs - performance.now();
