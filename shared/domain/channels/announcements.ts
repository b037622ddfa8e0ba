import type { Job } from '#shared/domain/jobs.ts';
import type { Joining } from '#shared/domain/subscriptions/batches.ts';

/** The notification bot notifies at most this many people that they were subscribed. */
const MAX_NOTIFIED = 100;

interface Wishes {
  announces: boolean;
  tellsPeople?: boolean;
  /** New channels without subscribers. */
  created?: number[];
}

/** A user who was subscribed to a channel. */
type Arrived = Pick<Joining, 'user' | 'target'>;

export const isFewEnoughToTell = (done: Arrived[]): boolean =>
  new Set(done.map(({ user }) => user.userId)).size <= MAX_NOTIFIED;

/** Messages of the notification bot that follow: to subscribed people, and about new channels. */
export function followUps(actorId: number, done: Arrived[], wishes: Wishes): Job[] {
  const isNew = ({ target }: Arrived): boolean => target.isNew || target.isOurs === true;
  const created = done.filter(isNew).map(({ target }) => target.channel.channelId);
  const channelIds = [...new Set([...created, ...(wishes.created ?? [])])];
  const announcements: Job = {
    type: 'announce-channels',
    payload: { actorId, channelIds },
    steps: wishes.announces ? [...channelIds.keys(), channelIds.length] : [...channelIds.keys()],
  };
  const targetsByUser = Map.groupBy(
    done.filter((joining) => !isNew(joining) && joining.user.userId !== actorId && !joining.user.isBot),
    ({ user }) => user.userId,
  );
  const notices: Job = {
    type: 'notify-subscribed',
    payload: {
      actorId,
      rows: [...targetsByUser].map(([userId, group]) => [
        userId,
        group.map(({ target }) => target.channel.channelId),
      ]),
    },
    steps: [...targetsByUser.keys()],
  };
  const isTold = wishes.tellsPeople && isFewEnoughToTell(done) && targetsByUser.size > 0;
  return [...(channelIds.length > 0 ? [announcements] : []), ...(isTold ? [notices] : [])];
}
