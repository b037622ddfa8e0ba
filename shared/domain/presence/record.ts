import { OFFLINE_THRESHOLD_SECONDS, type Presence } from './presence.ts';

/** A user whose last activity was this shortly before the last connection counts as active. */
const LEGACY_ACTIVE_SECONDS = 70;

/** The modern format: both times. */
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

/** The old format for one client; the service knows only one. */
export const toWebsitePresence = (presence: Presence) => ({
  client: 'website',
  ...summarize(presence),
  pushable: false,
});

/** The old format for lists. */
export const toLegacyPresence = (presence: Presence) => ({
  aggregated: { client: 'website', ...summarize(presence) },
  website: toWebsitePresence(presence),
});

/** The presence object of one user: both times, and the old format, which includes offline. */
export function toPresenceObject(presence: Presence, nowSeconds: number) {
  const { status, timestamp } = summarize(presence);
  const isOffline = nowSeconds - timestamp > OFFLINE_THRESHOLD_SECONDS;
  const legacy = { status: isOffline ? ('offline' as const) : status, timestamp };
  return { ...toModernPresence(presence), website: legacy, aggregated: legacy };
}
