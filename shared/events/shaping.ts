import type { Alerts } from '#shared/domain/alert-words/alerts.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import type { CustomEmoji } from '#shared/domain/emoji/custom-emoji.ts';
import type { Rosters } from '#shared/domain/messages/mentions.ts';
import type { Preferences } from '#shared/domain/narrow/term.ts';
import type { PresenceUpdate } from '#shared/domain/presence/changes.ts';
import type { UserSettings } from '#shared/domain/settings/user-settings.ts';
import type { Sight } from '#shared/domain/users/sight.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { EventPayload } from './catalogue.ts';
import type { QueueFilter } from './queue-filter.ts';
import type { Viewer } from './viewer.ts';

/** What a client has to know of a channel that is revealed to it. */
export interface RevealedChannel {
  channel: Channel;
  subscriberIds: number[];
}

/** Somebody who comes into sight, with what clients are told of those whom they see. */
export interface Newcomer {
  user: User;
  /** All of their status; absent where the queue is not told of statuses. */
  status?: EventPayload;
  /** null where nobody knows where they are; absent where the queue is not told of presences. */
  presence?: PresenceUpdate | null;
}

/** The queue for which events are shaped, and what is loaded beside the entry. */
export interface Shaping {
  queueId: string;
  filter: QueueFilter;
  viewer: Viewer;
  /** What the viewer's alert words say of messages; known where the entry holds one that they get. */
  alerts: Alerts;
  /** The rosters of the entry's message. */
  rosters: Rosters;
  /** What the viewer mutes and follows, where the narrow of the queue asks for it. */
  preferences?: Preferences;
  /** The subscribers of channels that the viewer was subscribed to in this entry. */
  subscribersOf: Map<number, number[]>;
  /** Everybody as of the entry, where it changes the role of the viewer. */
  people?: User[];
  /** Whom the viewer sees after the entry, with the bots that it names; absent where they see everybody. */
  sight?: Sight | undefined;
  /** Users whom the viewer sees since the entry, and ids of those whom they do not see any more. */
  gained?: Newcomer[];
  lost?: number[];
  /** The channels that the entry reveals to the viewer. */
  revealed?: Map<number, RevealedChannel>;
  /** All custom emoji, where the entry changes one and the queue is told all of them. */
  emoji?: CustomEmoji[];
  /** Where in the log the entry stands; `shapeEntry` says so. */
  position?: number;
  /** The viewer's flags of the message that the entry changes. */
  updatedFlags?: string[];
  /** The viewer's settings, where they decide: what subscriptions inherit from them, and whether typing is shown. */
  settings: UserSettings | null;
}

/** What a stored event is for one client: as a rule one event, for an old client perhaps others, or none. */
export type Shaper = (payload: EventPayload, shaping: Shaping) => EventPayload[];
