import type { AttachmentRecord } from '#shared/domain/uploads/upload.ts';
import type { EventPayload } from '../catalogue.ts';
import type { Shaper } from '../shaping.ts';

/**
 * The entry's own message also links to the file; its id was unknown when the event was
 * created.
 */
export const shapeAttachment: Shaper = (payload, { position }) => {
  const { isNamedHere, ...rest } = payload as EventPayload & { attachment: AttachmentRecord };
  if (!isNamedHere) return [rest];
  const { attachment } = rest;
  return [{ ...rest, attachment: { ...attachment, message_ids: [...attachment.message_ids, position] } }];
};
