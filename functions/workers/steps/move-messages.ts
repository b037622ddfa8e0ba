import { moveRest } from '#shared/actions/messages/move-rest.ts';
import type { Change } from '#shared/domain/change.ts';
import type { JobPayloads } from '#shared/domain/jobs.ts';
import type { Services } from '#shared/runtime/services.ts';

/** Moves the remaining messages of a large move whose first part was done within the request. */
export const moveMessages = (
  services: Services,
  rest: JobPayloads['move-messages'],
): Promise<Change | undefined> => moveRest(services, rest);
