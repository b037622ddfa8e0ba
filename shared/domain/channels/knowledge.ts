import type { User } from '#shared/domain/users/user.ts';
import type { EventPayload, LogEvent } from '#shared/events/catalogue.ts';
import { ofArchived } from './audience.ts';
import type { Channel } from './channel.ts';
import { mayKnow } from './permissions.ts';

/** A user before and after a change, with their membership in the groups that the channels name. */
export interface Turn {
  before: User;
  after: User;
}

/** Settings that can make a channel visible to people who are not subscribed. */
export const settingsThatShow = ({ groups }: Channel) => [
  groups.can_add_subscribers_group,
  groups.can_administer_channel_group,
  groups.can_subscribe_group,
];

/**
 * Events for users whose role or groups change: channels that become visible to them, and channels that
 * disappear. Subscribers at that time get none; that is checked when the events are read.
 */
export function knowledgeEvents(turns: Turn[], channels: Channel[]): LogEvent[] {
  const events = channels.flatMap((channel): VisibilityChange[] => {
    const knows = (user: User): boolean => mayKnow(user, { channel, subscription: undefined });
    const gained = turns.filter(({ before, after }) => knows(after) && !knows(before));
    const lost = turns.filter(({ before, after }) => knows(before) && !knows(after));
    return [
      { channel, op: 'delete' as const, userIds: idsOf(lost) },
      { channel, op: 'create' as const, userIds: idsOf(gained) },
    ].filter(({ userIds }) => userIds.length > 0);
  });
  return [...Map.groupBy(events, changeKey).values()].map(knowledgeEvent);
}

/** One channel becomes visible to some users, or hidden from them. */
interface VisibilityChange {
  channel: Channel;
  op: 'create' | 'delete';
  userIds: number[];
}

const idsOf = (turns: Turn[]): number[] => turns.map(({ after }) => after.userId);

const changeKey = ({ channel, op, userIds }: VisibilityChange): string =>
  `${op} ${channel.isArchived} ${userIds}`;

function knowledgeEvent(alike: VisibilityChange[]): LogEvent {
  const [{ channel, op, userIds }] = alike as [VisibilityChange];
  const channelIds = alike.map((change) => change.channel.channelId);
  const payload: EventPayload =
    op === 'create'
      ? { type: 'stream', op, revealed: channelIds }
      : { type: 'stream', op, concealed: channelIds };
  return { audience: { kind: 'users', userIds }, ...ofArchived(channel), payload };
}
