import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Condition, Write } from '#shared/table/table.ts';

/**
 * Counters of changes to who may know of which channel: one for roles and groups of people, one for channels.
 * A decision that depends on both checks the counters that it read and raises its own. Otherwise two
 * concurrent changes could each assume that the other has not happened, and some users would get no event.
 */
export interface VisibilityRevision {
  people: number;
  channels: number;
}

const key = organizationKeys.counter('who-knows');

/** Roles or groups change, and with them the visibility of the channels that were read. */
export const peopleTurnWrite = (seen: VisibilityRevision): Write => ({
  kind: 'update',
  key,
  add: { people: 1 },
  condition: asSeen(seen),
});

/**
 * A channel is created or its visibility changes. The log records it, and each queue judges it by its owner's
 * groups at that position.
 */
export const channelTurnWrite = ({ people }: VisibilityRevision): Write => ({
  kind: 'update',
  key,
  add: { channels: 1 },
  condition: asSeen({ people }),
});

/** A new user, unknown to concurrent decisions. */
export const newcomerWrite = (): Write => ({ kind: 'update', key, add: { people: 1 } });

const asSeen = (seen: Partial<VisibilityRevision>): Condition => ({
  belowOrAbsent: Object.fromEntries(Object.entries(seen).map(([name, count]) => [name, count + 1])),
});
