import { isGuest, type User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import type { Channel } from './channel.ts';
import { type DefaultGroups, toGroupRecords } from './default-groups.ts';
import { knowledgeEvents } from './knowledge.ts';

/**
 * The channel events for a user whose role changes: channels that become visible, channels that disappear,
 * and the default channels and their groups, which guests do not see. The user's group memberships must be
 * loaded for both roles.
 */
export function channelEffects(
  before: User,
  after: User,
  channels: Channel[],
  { channelIds, groups }: { channelIds: number[]; groups: DefaultGroups },
): LogEvent[] {
  const isNowGuest = isGuest(after);
  const defaults = isNowGuest ? [] : [...channelIds].sort((a, b) => a - b);
  const records = isNowGuest ? [] : toGroupRecords(groups);
  const audience = { kind: 'users' as const, userIds: [after.userId] };
  const defaultEvents: LogEvent[] = [
    { audience, payload: { type: 'default_streams', default_streams: defaults } },
    { audience, payload: { type: 'default_stream_groups', default_stream_groups: records } },
  ];
  return [
    ...knowledgeEvents([{ before, after }], channels),
    ...(isGuest(before) === isGuest(after) ? [] : defaultEvents),
  ];
}
