import type { Write } from '#shared/table/table.ts';
import type { Change } from './change.ts';

/** Combines changes. At most one of them is a message. */
export function mergeChanges(...changes: Change[]): Change {
  const message = changes.find((change) => change.message)?.message;
  return {
    writes: (position) => changes.flatMap((change) => writesAt(change, position)),
    events: changes.flatMap(({ events = [] }) => events),
    jobs: changes.flatMap(({ jobs = [] }) => jobs),
    ...(message && { message }),
  };
}

/** The writes of a change at its log position. */
export const writesAt = ({ writes = [] }: Pick<Change, 'writes'>, position: number): Write[] =>
  typeof writes === 'function' ? writes(position) : writes;
