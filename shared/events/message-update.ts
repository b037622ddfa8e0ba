import type { Mentions } from '#shared/domain/messages/mentions.ts';
import type { MoveHistory } from '#shared/domain/messages/moving/move-history.ts';
import type { EventPayload } from './catalogue.ts';

/** A channel at the time of the event, as far as it decides about readers. */
export interface ChannelThen {
  channelId: number;
  isPrivate: boolean;
  isWebPublic: boolean;
  isHistoryPublic: boolean;
}

/** What decides how a change of channel messages affects a user. */
export interface Reach {
  from: ChannelThen;
  /** The destination of moved messages. */
  to?: ChannelThen;
  /** The move history of messages that had been moved before. */
  journeys?: Record<string, MoveHistory>;
}

/** The stored form of a change of messages. */
export interface MessageUpdate extends EventPayload {
  type: 'update_message';
  message_id: number;
  message_ids: number[];
  /** Absent for direct messages. */
  reach?: Reach;
  /** The earlier mentions, if the change affects them. */
  mentionsBefore?: Mentions;
}

export const isMessageUpdate = (payload: EventPayload): payload is MessageUpdate =>
  payload.type === 'update_message';
