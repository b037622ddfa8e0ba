import type { AttachmentRecord } from '#shared/domain/uploads/upload.ts';
import type { EventPayload } from '../catalogue.ts';
import type { Shaper } from '../shaping.ts';

/** Among the messages that name a file is the one of the same entry, whose id was not known when the event was made. */
export const shapeAttachment: Shaper = (payload, { position = 0 }) => {
  const { isNamedHere, ...rest } = payload as EventPayload & { attachment: AttachmentRecord };
  if (!isNamedHere) return [rest];
  const { attachment } = rest;
  return [{ ...rest, attachment: { ...attachment, message_ids: [...attachment.message_ids, position] } }];
};
