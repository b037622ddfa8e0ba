import { type Subscription, wasSubscribedAt } from '#shared/domain/subscriptions/subscription.ts';

/** The channels that a message was moved through. */
export interface MoveHistory {
  /** The channel to which it was sent. */
  sentIn: number;
  /**
   * The channels it was moved to, with the log positions of its arrival; the last one is its present channel.
   */
  stops: { channelId: number; at: number; isPrivate?: true }[];
}

/** The place of a channel message. */
export interface Placed {
  messageId: number;
  channelId: number;
  journey?: MoveHistory;
}

/** A user's subscriptions by channel. */
export interface Subscriptions {
  get(channelId: number): Subscription | undefined;
}

/** The maximum number of channels that a message can be moved through. */
export const MAX_STOPS = 20;

/** A channel of a message's history, with the positions between which it was there. */
interface Stage {
  channelId: number;
  from: number;
  /** Absent for the present channel. */
  to?: number;
}

/** The position at which the message arrived in its present channel. */
export const arrivalOf = ({ messageId, journey }: Placed): number => journey?.stops.at(-1)?.at ?? messageId;

/** All channels that the message was ever in. */
export const channelsOnTheWay = ({ channelId, journey }: Placed): number[] =>
  journey ? [journey.sentIn, ...journey.stops.map((stop) => stop.channelId)] : [channelId];

/**
 * Whether the user was subscribed to each channel when the message arrived there, and so has always had it.
 */
export const wasAlongTheWay = (placed: Placed, subscriptions: Subscriptions): boolean =>
  placed.journey
    ? stagesOf(placed).every(({ channelId, from }) => wasSubscribedAt(subscriptions.get(channelId), from))
    : wasSubscribedAt(subscriptions.get(placed.channelId), placed.messageId);

/** Whether the user left a channel while the message was there; leaving marked it as read. */
export const wasLeftBehind = (placed: Placed, subscriptions: Subscriptions): boolean =>
  stagesOf(placed).some(({ channelId, from, to = Number.POSITIVE_INFINITY }) => {
    const { intervals = [], readThrough = 0 } = subscriptions.get(channelId) ?? {};
    const isPast = to === Number.POSITIVE_INFINITY && from <= readThrough;
    return (
      isPast || intervals.some(([, left]) => left !== null && from < left && left < to && left <= readThrough)
    );
  });

/** The history of a message after its move to a channel at a position. */
export const continueTo = (
  placed: Placed,
  { channelId, isPrivate }: { channelId: number; isPrivate: boolean },
  at: number,
): MoveHistory => ({
  sentIn: placed.journey?.sentIn ?? placed.channelId,
  stops: [...(placed.journey?.stops ?? []), { channelId, at, ...(isPrivate && { isPrivate }) }],
});

/**
 * Whether the message was always visible to the user: each channel was public for them or subscribed when it
 * arrived there.
 */
export const wasNeverLost = ({ journey }: Placed, subscriptions: Subscriptions, isGuest: boolean): boolean =>
  (journey?.stops ?? []).every(
    ({ channelId, at, isPrivate }) =>
      (!isPrivate && !isGuest) || wasSubscribedAt(subscriptions.get(channelId), at),
  );

function stagesOf({ messageId, channelId, journey }: Placed): Stage[] {
  if (!journey) return [{ channelId, from: messageId }];
  const stages = [{ channelId: journey.sentIn, at: messageId }, ...journey.stops];
  return stages.map((stage, index) => {
    const next = stages[index + 1];
    return { channelId: stage.channelId, from: stage.at, ...(next && { to: next.at }) };
  });
}
