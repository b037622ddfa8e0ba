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
  /** null asks for everything. */
  fetchTypes: string[] | null;
  includeSubscribers: 'true' | 'false' | 'partial';
  /** How far to look back for who was there. */
  presenceHistoryDays: number;
}

/** What several sections need. */
export interface Loading {
  services: Services;
  request: SnapshotRequest;
  /** Whether data of this event type was asked for. */
  wants: (type: string) => boolean;
  views: ChannelView[];
  /** The caller's subscriptions, past ones included, by channel. */
  subscriptions: Map<number, Subscription>;
  /** The organization; read once, and only if a section asks, like everything that follows. */
  organization: () => Promise<Organization>;
  /** The caller's own settings. */
  ownSettings: () => Promise<UserSettings>;
  /** Everybody in the organization. */
  users: () => Promise<User[]>;
  /** The caller's topic preferences. */
  topicPreferences: () => Promise<TopicPreference[]>;
  /** The snapshot is true for this position: messages after it are left out. */
  position: number;
  /** Up to here, conversations tell of every message. */
  tendedPosition: number;
}

/** A part of the register reply: fields of it, as far as they were asked for. */
export type Section = (loading: Loading) => Promise<Record<string, unknown>>;
