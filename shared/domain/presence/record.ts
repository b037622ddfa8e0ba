import { OFFLINE_THRESHOLD_SECONDS, type Presence } from './presence.ts';

/** Somebody who did something so short a time before they were last connected counts as active then. */
const LEGACY_ACTIVE_SECONDS = 70;

/** The modern form: both times. */
export const toModernPresence = ({ activeAtSeconds, connectedAtSeconds }: Presence) => ({
  active_timestamp: activeAtSeconds,
  idle_timestamp: connectedAtSeconds,
});

function summarize({ activeAtSeconds, connectedAtSeconds }: Presence) {
  const isActive = activeAtSeconds + LEGACY_ACTIVE_SECONDS >= connectedAtSeconds;
  return isActive
    ? { status: 'active' as const, timestamp: activeAtSeconds }
    : { status: 'idle' as const, timestamp: connectedAtSeconds };
}

/** The old form of one client's presence; there is but one client. */
export const toWebsitePresence = (presence: Presence) => ({
  client: 'website',
  ...summarize(presence),
  pushable: false,
});

/** The old form of a presence in lists. */
export const toLegacyPresence = (presence: Presence) => ({
  aggregated: { client: 'website', ...summarize(presence) },
  website: toWebsitePresence(presence),
});

/** The presence object of one user: both times, and the old form, which says who is offline. */
export function toPresenceObject(presence: Presence, nowSeconds: number) {
  const { status, timestamp } = summarize(presence);
  const isOffline = nowSeconds - timestamp > OFFLINE_THRESHOLD_SECONDS;
  const legacy = { status: isOffline ? ('offline' as const) : status, timestamp };
  return { ...toModernPresence(presence), website: legacy, aggregated: legacy };
}
