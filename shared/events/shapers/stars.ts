import type { WireEvent } from '../catalogue.ts';
import type { StarTurn } from '../shaping.ts';

/** The events of starred messages that the entry hides from their owner or shows again. */
export const shapeStars = ({ hidden, shown }: StarTurn): WireEvent[] => [
  ...(hidden.length > 0
    ? [{ ...flags, op: 'remove' as const, operation: 'remove' as const, ...starred(hidden) }]
    : []),
  ...(shown.length > 0
    ? [{ ...flags, op: 'add' as const, operation: 'add' as const, ...starred(shown) }]
    : []),
];

const flags = { type: 'update_message_flags' as const };

const starred = (messages: number[]) => ({ flag: 'starred', messages, all: false });
