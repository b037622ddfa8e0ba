import { toModernPresence, toWebsitePresence } from '#shared/domain/presence/record.ts';
import { isSeen } from '#shared/domain/users/visible-users.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';

/**
 * Both times for clients that support them; otherwise the old format, which also identifies the user by
 * address.
 */
export const shapePresence: Shaper<'presence'> = (payload, { filter, visibleUsers }) => {
  const { type, user_id, email, server_timestamp, presence } = payload;
  if (!isSeen(visibleUsers, user_id)) return [];
  if (hasCapability(filter, 'simplified_presence_events'))
    return [{ type, presences: { [user_id]: toModernPresence(presence) } }];
  const website = toWebsitePresence(presence);
  return [{ type, user_id, ...(!filter.slimPresence && { email }), server_timestamp, presence: { website } }];
};
