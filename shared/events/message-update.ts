import type { EventPayload, PayloadOf } from './catalogue.ts';

/** A change of messages in the log. */
export type MessageUpdate = PayloadOf<'update_message'>;

export const isMessageUpdate = (payload: EventPayload): payload is MessageUpdate =>
  payload.type === 'update_message';
