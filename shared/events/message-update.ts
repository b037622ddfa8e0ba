import type { Journey } from '#shared/domain/messages/journey.ts';
import type { Mentions } from '#shared/domain/messages/mentions.ts';
import type { EventPayload } from './catalogue.ts';

/** A channel as it was when the event happened, as far as it decides who reads it. */
export interface ChannelThen {
  channelId: number;
  isPrivate: boolean;
  isWebPublic: boolean;
  isHistoryPublic: boolean;
}

/** What decides to whom a change of messages of a channel means what. */
export interface Reach {
  from: ChannelThen;
  /** Where the messages were moved to another channel. */
  to?: ChannelThen;
  /** Of messages that had come from other channels already. */
  journeys?: Record<string, Journey>;
}

/** The stored form of a change of messages. */
export interface MessageUpdate extends EventPayload {
  type: 'update_message';
  message_id: number;
  message_ids: number[];
  /** Absent of direct messages. */
  reach?: Reach;
  /** Whom the text mentioned before, where it mentions others now. */
  mentionsBefore?: Mentions;
}

export const isMessageUpdate = (payload: EventPayload): payload is MessageUpdate =>
  payload.type === 'update_message';
