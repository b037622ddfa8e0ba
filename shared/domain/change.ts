import type { LogEvent } from '#shared/events/catalogue.ts';
import type { Write } from '#shared/table/table.ts';
import type { Job } from './jobs.ts';
import type { StoredMessage } from './messages/message.ts';

/** A part that one decision adds to the change of another. */
export interface ChangePart {
  writes: Write[];
  events: LogEvent[];
}

/** The outcome of a decision. All of it becomes true in one transaction, or nothing. */
export interface Change {
  /** At most 90 writes. Writes that must contain the change's log position are built from it. */
  writes?: Write[] | ((position: number) => Write[]);
  events?: LogEvent[];
  message?: StoredMessage;
  jobs?: Job[];
}

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
