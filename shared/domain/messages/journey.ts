import { type Subscription, wasSubscribedAt } from '#shared/domain/subscriptions/subscription.ts';

/** The channels through which a message was moved. */
export interface Journey {
  /** The channel to which it was sent. */
  sentIn: number;
  /** The channels to which it was moved, with the positions of the log at which it came there; the last one is where it is. */
  stops: { channelId: number; at: number; isPrivate?: true }[];
}

/** A message of a channel, as far as its place is concerned. */
export interface Placed {
  messageId: number;
  channelId: number;
  journey?: Journey;
}

/** A user's subscriptions by channel. */
export interface Subscriptions {
  get(channelId: number): Subscription | undefined;
}

/** A message is not moved through more channels. */
export const MAX_STOPS = 20;

/** Where a message was, and between which positions. */
interface Stage {
  channelId: number;
  from: number;
  /** Absent of the channel in which it is. */
  to?: number;
}

/** The position at which the message came to the channel in which it is. */
export const arrivalOf = ({ messageId, journey }: Placed): number => journey?.stops.at(-1)?.at ?? messageId;

/** All channels in which the message ever was. */
export const channelsOnTheWay = ({ channelId, journey }: Placed): number[] =>
  journey ? [journey.sentIn, ...journey.stops.map((stop) => stop.channelId)] : [channelId];

/** Whether somebody was in each channel when the message came there: so they have had it all the way. */
export const wasAlongTheWay = (placed: Placed, subscriptions: Subscriptions): boolean =>
  stagesOf(placed).every(({ channelId, from }) => wasSubscribedAt(subscriptions.get(channelId), from));

/** Whether somebody left a channel while the message was there, so that it became read. */
export const wasLeftBehind = (placed: Placed, subscriptions: Subscriptions): boolean =>
  stagesOf(placed).some(({ channelId, from, to = Number.POSITIVE_INFINITY }) => {
    const { intervals = [], readThrough = 0 } = subscriptions.get(channelId) ?? {};
    const isPast = to === Number.POSITIVE_INFINITY && from <= readThrough;
    return (
      isPast || intervals.some(([, left]) => left !== null && from < left && left < to && left <= readThrough)
    );
  });

/** The journey of a message that is moved to a channel as of a position. */
export const continueTo = (
  placed: Placed,
  { channelId, isPrivate }: { channelId: number; isPrivate: boolean },
  at: number,
): Journey => ({
  sentIn: placed.journey?.sentIn ?? placed.channelId,
  stops: [...(placed.journey?.stops ?? []), { channelId, at, ...(isPrivate && { isPrivate }) }],
});

/** Whether somebody never lost sight of the message: each channel was open to them or their own when it came there. */
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
