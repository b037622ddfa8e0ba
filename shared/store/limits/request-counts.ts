import { limitKeys } from '#shared/table/keys/limits.ts';
import type { Table } from '#shared/table/table.ts';

/**
 * Adds requests of an account or address to the count of all functions for a window and returns the total.
 * One write; the count expires with its window.
 */
export const addRequests = (
  table: Table,
  subject: string,
  windowEndSeconds: number,
  requests: number,
): Promise<number> =>
  table.increment(limitKeys.requestCount(subject, windowEndSeconds), 'requests', requests, {
    expiresAtSeconds: windowEndSeconds,
  });
