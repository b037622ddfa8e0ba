import type { Shaper } from '../shaping.ts';

/** The id of a submessage is its log position, here and in the message. */
export const shapeSubmessage: Shaper<'submessage'> = (payload, { position }) => [
  { ...payload, submessage_id: position },
];
