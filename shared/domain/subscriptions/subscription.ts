/**
 * What a user has with a channel: since when, until when, and how it looks to them. It outlives unsubscribing,
 * so that colour and settings are found again and old messages stay read or unread.
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
  /** Positions of the log from and up to which the user was subscribed; the last one may be open. */
  intervals: Interval[];
  /** Messages of the channel up to here are read. */
  readThrough: number;
  /** Ended because the user was deactivated; begins again when they come back. */
  isSuspended?: true;
}

export type Interval = [from: number, to: number | null];

export const isSubscribed = (subscription: Subscription | undefined): boolean =>
  subscription?.intervals.at(-1)?.[1] === null;

/** Whether the user was subscribed when the message at this position was sent. */
export const wasSubscribedAt = (subscription: Subscription | undefined, position: number): boolean =>
  subscription?.intervals.some(([from, to]) => from < position && (to === null || position < to)) ?? false;

/** A new subscription, or one taken up again, as of a position. */
export function subscribeAt(
  existing: Subscription | undefined,
  owner: { userId: number; channelId: number },
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
    pushNotifications: null,
    emailNotifications: null,
    wildcardMentionsNotify: null,
    intervals: [[position, null]],
    readThrough: 0,
  };
}

/** The subscription ended as of a position. */
export function unsubscribeAt(subscription: Subscription, position: number): Subscription {
  const intervals = subscription.intervals.map(([from, to]): Interval => [from, to ?? position]);
  return { ...subscription, intervals };
}

/** The subscription ended as of a position until the user comes back. */
export const suspendAt = (subscription: Subscription, position: number): Subscription => ({
  ...unsubscribeAt(subscription, position),
  isSuspended: true,
});
