/**
 * A user's relation to a channel: when they were subscribed, and their display settings. It outlives
 * unsubscribing, so that settings are restored and old messages stay read or unread.
 */
export interface Subscription {
  userId: number;
  channelId: number;
  color: string;
  isMuted: boolean;
  isPinned: boolean;
  desktopNotifications: boolean | null;
  audibleNotifications: boolean | null;
  pushNotifications: boolean | null;
  emailNotifications: boolean | null;
  wildcardMentionsNotify: boolean | null;
  /** The log positions between which the user was subscribed; the last interval may be open. */
  intervals: Interval[];
  /** Messages of the channel up to this position are read. */
  readThrough: number;
  /** Suspended because the user was deactivated; resumes on reactivation. */
  isSuspended?: true;
}

export type Interval = [from: number, to: number | null];

export const isSubscribed = (subscription: Subscription | undefined): boolean =>
  subscription?.intervals.at(-1)?.[1] === null;

/** Whether the user was subscribed when the message at this position was sent. */
export const wasSubscribedAt = (subscription: Subscription | undefined, position: number): boolean =>
  subscription?.intervals.some(([from, to]) => from < position && (to === null || position < to)) ?? false;

interface NewOwner {
  userId: number;
  channelId: number;
  /** Whether the channel turns mobile notifications on for new subscribers. */
  defaultPushNotifications?: boolean | undefined;
}

/** A new or resumed subscription as of a position; a resumed one keeps its settings. */
export function subscribeAt(
  existing: Subscription | undefined,
  { defaultPushNotifications, ...owner }: NewOwner,
  color: string,
  position: number,
): Subscription {
  if (existing) {
    const { isSuspended: _suspended, ...kept } = existing;
    return { ...kept, color, intervals: [...existing.intervals, [position, null]] };
  }
  return {
    ...owner,
    color,
    isMuted: false,
    isPinned: false,
    desktopNotifications: null,
    audibleNotifications: null,
    pushNotifications: defaultPushNotifications ? true : null,
    emailNotifications: null,
    wildcardMentionsNotify: null,
    intervals: [[position, null]],
    readThrough: 0,
  };
}

/** A subscription that ends at a position. */
export function unsubscribeAt(subscription: Subscription, position: number): Subscription {
  const intervals = subscription.intervals.map(([from, to]): Interval => [from, to ?? position]);
  return { ...subscription, intervals };
}

/** A subscription that is suspended at a position until the user is reactivated. */
export const suspendAt = (subscription: Subscription, position: number): Subscription => ({
  ...unsubscribeAt(subscription, position),
  isSuspended: true,
});
