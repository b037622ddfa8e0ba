import type { Shaper } from '../shaping.ts';

/**
 * The entry's own message also links to the file; its id was unknown when the event was
 * created.
 */
export const shapeAttachment: Shaper<'attachment'> = (payload, { position }) => {
  if (payload.op !== 'update') return [payload];
  const { isNamedHere, ...rest } = payload;
  if (!isNamedHere) return [rest];
  const { attachment } = rest;
  return [{ ...rest, attachment: { ...attachment, message_ids: [...attachment.message_ids, position] } }];
};
