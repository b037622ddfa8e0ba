import { toEmojiRecords } from '#shared/domain/emoji/custom-emoji.ts';
import type { LogEvent } from '../catalogue.ts';
import { hasCapability, type QueueFilter } from '../queue-filter.ts';
import type { Shaper } from '../shaping.ts';

/** Whether a queue gets all emoji after each change. */
export const needsAllEmoji = (filter: QueueFilter): boolean =>
  !hasCapability(filter, 'individual_emoji_changes');

export const changesEmoji = ({ events }: { events: LogEvent[] }): boolean =>
  events.some(({ payload }) => payload.type === 'realm_emoji');

/** The changed emoji; for clients without support for such events, all emoji in their present state. */
export const shapeEmoji: Shaper<'realm_emoji'> = (payload, { filter, emoji = [] }) =>
  needsAllEmoji(filter)
    ? [{ type: 'realm_emoji', op: 'update', realm_emoji: toEmojiRecords(emoji) }]
    : [payload];
