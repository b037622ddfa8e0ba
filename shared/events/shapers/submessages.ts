import type { Shaper } from '../shaping.ts';

/** What was added to a message has the position of its entry for an id, as it has in the message afterwards. */
export const shapeSubmessage: Shaper = (payload, { position }) => [{ ...payload, submessage_id: position }];
