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

/** The condition of one term. */
type Condition<Name extends number | string> =
  | { kind: 'channel'; channel: Name }
  | { kind: 'topic'; topic: string }
  | { kind: 'sender'; user: Name }
  /** `written` is the operand as quoted by errors. */
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

/** The conversation that a message is in now. */
type WithMessage = { kind: 'with'; messageId: number };

/**
 * Conditions that the narrow of a queue treats differently: names at the time of sending, and a single flag.
 */
type QueueCondition =
  | { kind: 'inChannels' }
  | { kind: 'channelNamed'; name: string }
  | { kind: 'sentFrom'; email: string }
  | { kind: 'flagged'; flag: string };

/** A parsed term: channels and users by id, name or e-mail address. */
export type Term = (Condition<number | string> | WithMessage) & { isNegated: boolean };

/** A term with resolved channels and users: by id. */
export type ResolvedTerm = Condition<number> & { isNegated: boolean };

/** A term that can be compared with a message. */
export type Criterion = (Condition<number> | QueueCondition) & { isNegated: boolean };

/** The caller's muted and followed topics, channels and users. */
export interface Preferences {
  policies: TopicPolicies;
  mutedUserIds: ReadonlySet<number>;
}

/** The known context of a message's place: the channel and the caller's relation to it. */
export interface PlaceContext {
  callerId: number;
  /** Absent when no term needs the channel. */
  view: Partial<ChannelView> | undefined;
  /** Absent when flags are known. */
  isUnread?: boolean;
  /** Empty when no term needs them (`asksForPreferences`). */
  preferences: Preferences;
}

/** The known context of a message: its place, and its flags for the caller. */
export interface MessageContext extends PlaceContext {
  flags: string[];
}

export const noPreferences: Preferences = { policies: new Map(), mutedUserIds: new Set() };
