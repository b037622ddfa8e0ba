import type { EventPayload } from '../catalogue.ts';
import type { StarTurn } from '../shaping.ts';

/** The events of starred messages that the entry hides from their owner or shows again. */
export const shapeStars = ({ hidden, shown }: StarTurn): EventPayload[] => [
  ...(hidden.length > 0 ? [starEvent('remove', hidden)] : []),
  ...(shown.length > 0 ? [starEvent('add', shown)] : []),
];

const starEvent = (op: 'add' | 'remove', messages: number[]): EventPayload => ({
  type: 'update_message_flags',
  op,
  operation: op,
  flag: 'starred',
  messages,
  all: false,
});
