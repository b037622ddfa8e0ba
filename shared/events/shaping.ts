import type { Alerts } from '#shared/domain/alert-words/alerts.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import type { CustomEmoji } from '#shared/domain/emoji/custom-emoji.ts';
import type { RecipientSets } from '#shared/domain/messages/mentions.ts';
import type { Preferences } from '#shared/domain/narrow/term.ts';
import type { UserSettings } from '#shared/domain/settings/user-settings.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { VisibleUsers } from '#shared/domain/users/visible-users.ts';
import type { EventPayload, PayloadOf, ShapedPayload, WireEventOf } from './catalogue.ts';
import type { QueueFilter } from './queue-filter.ts';
import type { Viewer } from './viewer.ts';

/** The data of a channel that becomes visible to a client. */
export interface RevealedChannel {
  channel: Channel;
  subscriberIds: number[];
}

/** A user who becomes visible, with the data that clients get about visible users. */
export interface Newcomer {
  user: User;
  /** Their complete status; absent if the queue gets no statuses. */
  status?: WireEventOf<'user_status'>;
  /** null when they have no presence; absent if the queue gets no presences. */
  presence?: PayloadOf<'presence'> | null;
}

/** Starred messages that an entry hides from their owner, and starred messages that the owner may read. */
export interface StarTurn {
  hidden: number[];
  shown: number[];
}

/** The queue that events are shaped for, and the data loaded beside the entry. */
export interface Shaping {
  /** The log position of the entry. */
  position: number;
  queueId: string;
  filter: QueueFilter;
  viewer: Viewer;
  /** The viewer's alert words; loaded if the entry has a message for them. */
  alerts: Alerts;
  /** The recipient sets of the entry's message. */
  recipientSets: RecipientSets;
  /** The viewer's muted and followed topics, if the queue's narrow needs them. */
  preferences?: Preferences;
  /** The subscribers of channels that the entry subscribes the viewer to. */
  subscribersOf: Map<number, number[]>;
  /** All users as of the entry, if it changes the viewer's role. */
  people?: User[];
  /**
   * The users visible to the viewer after the entry, with the bots that it names; absent if all are visible.
   */
  visibleUsers?: VisibleUsers | undefined;
  /** Users who became visible with the entry, and ids of users who became hidden. */
  gained?: Newcomer[];
  lost?: number[];
  /** The channels that the entry reveals to the viewer. */
  revealed?: Map<number, RevealedChannel>;
  /** All custom emoji, if the entry changes one and the queue gets all. */
  emoji?: CustomEmoji[];
  /** The viewer's starred messages that the entry hides or shows. */
  stars?: StarTurn;
  /** The viewer's flags of the message that the entry changes. */
  updatedFlags?: string[];
  /** The viewer's settings, if they matter: inherited subscription settings, and typing notifications. */
  settings: UserSettings | null;
}

/**
 * Shapes stored events of one `type` for one client: usually one event, for old clients perhaps others, or none.
 */
export type Shaper<Type extends EventPayload['type']> = (
  payload: Extract<EventPayload, { type: Type }>,
  shaping: Shaping,
) => ShapedPayload[];
