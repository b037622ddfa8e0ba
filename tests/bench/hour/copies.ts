import type { QueueFilter } from '#shared/events/queue-filter.ts';
import { wants } from '#shared/events/shape.ts';
import { getsMessage, groupsThatDecide, isInAudience, type Viewer } from '#shared/events/viewer.ts';
import { listSubscriptions } from '#shared/store/channels/subscriptions.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';
import { learnMemberships } from '#shared/store/user-groups/groups.ts';
import { getUser } from '#shared/store/users/users.ts';
import type { BenchService } from '../service.ts';
import type { LiveQueue } from './organization.ts';

/** The cost of copying each event to every live recipient queue, for the same entries. */
export interface Copies {
  events: number;
  copies: number;
  /** Units to write the copies; each unit holds 1 KB of one of them. */
  write: number;
  /** Units of the log for events alone, which copies would save; units of messages stay, as their history. */
  spared: number;
}

const UNIT_BYTES = 1024;
/** Key, queue, id and time to live of a copy. */
const FRAME_BYTES = 120;

export async function countCopies(
  { services }: BenchService,
  filter: QueueFilter,
  queues: LiveQueue[],
  entries: LogEntry[],
): Promise<Copies> {
  const settings = groupsThatDecide(entries.flatMap(({ events }) => events));
  const total: Copies = { events: 0, copies: 0, write: 0, spared: 0 };
  const viewers: Viewer[] = [];
  for (const { person } of queues) {
    const user = await getUser(services.table, person.userId);
    await learnMemberships(services.table, user, settings);
    const subscriptions = await listSubscriptions(services.table, person.userId);
    viewers.push({ user, subscriptions: new Map(subscriptions.map((one) => [one.channelId, one])) });
  }
  const add = (content: unknown, isFor: (viewer: Viewer) => boolean): void => {
    const copies = viewers.filter(isFor).length;
    total.events++;
    total.copies += copies;
    total.write += copies * unitsOf(content);
  };
  for (const { position, events, message } of entries) {
    if (message)
      add(message, (viewer) =>
        getsMessage(viewer, { ...message, messageId: position }, filter.allPublicChannels),
      );
    else total.spared += spared(events);
    for (const { audience, payload } of events)
      if (wants(filter, payload.type)) add(payload, (viewer) => isInAudience(audience, viewer, position));
  }
  return total;
}

const unitsOf = (content: unknown): number =>
  Math.ceil((Buffer.byteLength(JSON.stringify(content)) + FRAME_BYTES) / UNIT_BYTES);

/** The position, and the entry: twice if it is written together with a change of state. */
function spared(events: LogEntry['events']): number {
  const isAlone = events.every(({ payload }) => payload.type === 'typing');
  return 1 + unitsOf(events) * (isAlone ? 1 : 2);
}
