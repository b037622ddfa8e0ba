import { isGuest, type User } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import type { Channel } from './channel.ts';
import { knowledgeEvents } from './knowledge.ts';

/**
 * What a user with another role has to be told of channels: those that they may know of now, those that they may not
 * any more, and the default channels, which guests do not hear of. What decides must have been learned of both.
 */
export function channelEffects(
  before: User,
  after: User,
  channels: Channel[],
  defaultChannelIds: number[],
): LogEvent[] {
  const defaults = isGuest(after) ? [] : [...defaultChannelIds].sort((a, b) => a - b);
  return [
    ...knowledgeEvents([{ before, after }], channels),
    ...(isGuest(before) === isGuest(after)
      ? []
      : [
          {
            audience: { kind: 'users' as const, userIds: [after.userId] },
            payload: { type: 'default_streams', default_streams: defaults },
          },
        ]),
  ];
}
