import type { PresenceUpdate } from '#shared/domain/presence/changes.ts';
import { toModernPresence, toWebsitePresence } from '#shared/domain/presence/record.ts';
import { isSeen } from '#shared/domain/users/sight.ts';
import { hasCapability } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';

/** Both times for clients that can do with them; else the old form, which names the user by address too. */
export const shapePresence: Shaper = (payload, { filter, sight }) => {
  if (!isSeen(sight, payload.user_id as number)) return [];
  const { type, user_id, email, server_timestamp, presence } = payload as PresenceUpdate;
  if (hasCapability(filter, 'simplified_presence_events'))
    return [{ type, presences: { [user_id]: toModernPresence(presence) } }];
  const website = toWebsitePresence(presence);
  return [{ type, user_id, ...(!filter.slimPresence && { email }), server_timestamp, presence: { website } }];
};
