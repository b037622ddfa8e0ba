import type { ChannelView } from '#shared/domain/messages/access.ts';
import type { Organization } from '#shared/domain/organization/organization.ts';
import type { UserSettings } from '#shared/domain/settings/user-settings.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import type { TopicPreference } from '#shared/domain/topics/preference.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { QueueFilter } from '#shared/events/queue-filter.ts';
import type { Services } from '#shared/runtime/services.ts';

export interface SnapshotRequest {
  caller: User;
  filter: QueueFilter;
  /** null requests everything. */
  fetchTypes: string[] | null;
  includeSubscribers: 'true' | 'false' | 'partial';
  /** How far back to list presences. */
  presenceHistoryDays: number;
}

/** The state that the sections share. */
export interface Loading {
  services: Services;
  request: SnapshotRequest;
  /** Whether data of this event type was requested. */
  wants: (type: string) => boolean;
  views: ChannelView[];
  /** The caller's subscriptions, past ones included, by channel. */
  subscriptions: Map<number, Subscription>;
  /** The organization. This and the following are read once, and only if a section needs them. */
  organization: () => Promise<Organization>;
  /** The caller's own settings. */
  ownSettings: () => Promise<UserSettings>;
  /** All users of the organization. */
  users: () => Promise<User[]>;
  /** The caller's topic preferences. */
  topicPreferences: () => Promise<TopicPreference[]>;
  /** The position of the snapshot: later messages are left out. */
  position: number;
  /** Up to here the conversation summaries are complete. */
  tendedPosition: number;
}

/** A part of the register reply, reduced to the requested fields. */
export type Section = (loading: Loading) => Promise<Record<string, unknown>>;
