import type { Change } from '#shared/domain/change.ts';
import { type MoveRest, moveRest } from '#shared/log/move-rest.ts';
import type { Services } from '#shared/runtime/services.ts';

/** Moves what is left of many messages after the first of them were moved within the request. */
export const moveMessages = (services: Services, rest: MoveRest): Promise<Change | undefined> =>
  moveRest(services, rest);
