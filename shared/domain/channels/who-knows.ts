import { keys } from '#shared/table/keys.ts';
import type { Condition, Write } from '#shared/table/table.ts';

/**
 * How often it changed who may know of which channel: by roles and groups of people, and by channels themselves. Who
 * decides what people hear by both sides names the counts that they saw, and counts on. Without that one could decide by
 * what another is changing, each in the belief that the other has not happened, and somebody would not be told.
 */
export interface WhoKnows {
  people: number;
  channels: number;
}

const key = keys.counter('who-knows');

/** Roles or groups change, and with them what people know of the channels that were seen. */
export const peopleTurnWrite = (seen: WhoKnows): Write => ({
  kind: 'update',
  key,
  add: { people: 1 },
  condition: asSeen(seen),
});

/** A channel comes, or others may know of it than before. The log says so, and each queue judges it by its owner's groups then. */
export const channelTurnWrite = ({ people }: WhoKnows): Write => ({
  kind: 'update',
  key,
  add: { channels: 1 },
  condition: asSeen({ people }),
});

/** Somebody comes whom no decision has taken into account. */
export const newcomerWrite = (): Write => ({ kind: 'update', key, add: { people: 1 } });

const asSeen = (seen: Partial<WhoKnows>): Condition => ({
  belowOrAbsent: Object.fromEntries(Object.entries(seen).map(([name, count]) => [name, count + 1])),
});
