import type { ChannelView } from '#shared/domain/messages/access.ts';
import type { SearchQuery } from '#shared/domain/search/query.ts';
import type { TopicPolicies } from '#shared/domain/topics/visibility.ts';

export const isOperands = [
  'dm',
  'unread',
  'resolved',
  'muted',
  'starred',
  'mentioned',
  'alerted',
  'followed',
] as const;
export type IsOperand = (typeof isOperands)[number];

export const hasOperands = ['attachment', 'image', 'link', 'reaction'] as const;
export type HasOperand = (typeof hasOperands)[number];

export const channelsOperands = ['public', 'web-public', 'archived'] as const;
export type ChannelsOperand = (typeof channelsOperands)[number];

/** What one term of a narrow asks of a message. */
type Condition<Name extends number | string> =
  | { kind: 'channel'; channel: Name }
  | { kind: 'topic'; topic: string }
  | { kind: 'sender'; user: Name }
  /** `written` is the operand as an error quotes it. */
  | { kind: 'direct'; users: Name[]; written: string }
  | { kind: 'directIncluding'; user: Name; isGroup: boolean }
  | { kind: 'mentions'; user: Name }
  | { kind: 'message'; messageId: number }
  | { kind: 'is'; operand: IsOperand }
  | { kind: 'has'; operand: HasOperand }
  | { kind: 'channels'; operand: ChannelsOperand }
  | { kind: 'search'; query: SearchQuery }
  | { kind: 'home' }
  | { kind: 'anything' };

/** The conversation in which a message is now. */
type WithMessage = { kind: 'with'; messageId: number };

/** What the narrow of a queue asks in its own way: by name as of sending, and by one flag. */
type QueueCondition =
  | { kind: 'inChannels' }
  | { kind: 'channelNamed'; name: string }
  | { kind: 'sentFrom'; email: string }
  | { kind: 'flagged'; flag: string };

/** A term as it was written: channels and users by id, name or e-mail address. */
export type Term = (Condition<number | string> | WithMessage) & { isNegated: boolean };

/** A term whose channels and users were found: by id. */
export type ResolvedTerm = Condition<number> & { isNegated: boolean };

/** A term that can be held against a message. */
export type Criterion = (Condition<number> | QueueCondition) & { isNegated: boolean };

/** What the caller wants to hear of. */
export interface Preferences {
  policies: TopicPolicies;
  mutedUserIds: ReadonlySet<number>;
}

/** What is known of the place of a message: its channel as the caller stands to it. */
export interface PlaceContext {
  callerId: number;
  /** Without the channel where no term asks what it is like. */
  view: Partial<ChannelView> | undefined;
  /** Absent where flags tell. */
  isUnread?: boolean;
  /** None where no term asks for them (`asksForPreferences`). */
  preferences: Preferences;
}

/** What is known of a message beside itself: of its place, and its flags for the caller. */
export interface MessageContext extends PlaceContext {
  flags: string[];
}

export const noPreferences: Preferences = { policies: new Map(), mutedUserIds: new Set() };
