import type { Change } from './change.ts';

/** Both changes as one. At most one of them is a message. */
export function mergeChanges(...changes: Change[]): Change {
  const writesAt = ({ writes = [] }: Change, position: number) =>
    typeof writes === 'function' ? writes(position) : writes;
  return {
    writes: (position) => changes.flatMap((one) => writesAt(one, position)),
    events: changes.flatMap(({ events = [] }) => events),
    jobs: changes.flatMap(({ jobs = [] }) => jobs),
  };
}
