import { BadRequest } from '#shared/domain/errors.ts';
import { readIsoTimeMs } from '#shared/domain/iso-time.ts';

/** Represents the newest message; larger than every message id. */
export const NEWEST_ANCHOR = 10_000_000_000_000_000;
export const OLDEST_ANCHOR = 0;

/** A place in the messages of a narrow; the last two forms must be resolved by a search. */
export type Anchor = number | 'firstUnread' | { sinceSeconds: number };

/** The place at which the requested page starts. @throws BadRequest */
export function readAnchor(
  anchor: string | undefined,
  anchorDate: string | undefined,
  useFirstUnread: boolean,
): Anchor {
  if (useFirstUnread || anchor === 'first_unread') return 'firstUnread';
  if (anchor === undefined) throw new BadRequest("Missing 'anchor' argument.");
  if (anchor === 'newest') return NEWEST_ANCHOR;
  if (anchor === 'oldest') return OLDEST_ANCHOR;
  if (anchor === 'date') return { sinceSeconds: readDate(anchorDate) };
  if (!/^[+-]?\d+$/.test(anchor)) throw new BadRequest('Invalid anchor');
  return Math.min(Math.max(Number(anchor), OLDEST_ANCHOR), NEWEST_ANCHOR);
}

const MAX_UPDATED = 5_000;

/** As many of the messages around an anchor as one call updates: those before it go first. */
export function withinOneCall(before: number, after: number): { numBefore: number; numAfter: number } {
  const numBefore = Math.min(before, MAX_UPDATED);
  return { numBefore, numAfter: Math.min(after, MAX_UPDATED - numBefore) };
}

/** A date without an offset is in UTC. */
function readDate(input: string | undefined): number {
  if (input === undefined) throw new BadRequest("Missing 'anchor_date' argument.");
  const milliseconds = readIsoTimeMs(input);
  if (milliseconds === undefined) throw new BadRequest('Invalid anchor_date');
  return Math.floor(milliseconds / 1000);
}
