import type { Channel } from '#shared/domain/channels/channel.ts';
import { type ChannelView, mayRead } from '#shared/domain/messages/access.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { arrivalOf } from '#shared/domain/messages/moving/move-history.ts';
import type { Interval, Subscription } from '#shared/domain/subscriptions/subscription.ts';
import { roles, spectator, type User } from '#shared/domain/users/user.ts';
import type { ExportType } from './export.ts';

/** A member without subscriptions or group memberships: every member may see the things that they may see. */
export const anyMember: User = { ...spectator, role: roles.member };

/** The messages of a channel that an export holds: all, or those between some positions. */
type ChannelScope = 'all' | Interval[];

/** The messages that an export holds. */
export interface ExportScope {
  type: ExportType;
  /** Users who consented to the export of their private data; empty when consent is not asked for. */
  consentingIds: number[];
  /** By channel id; channels without exported messages are absent. */
  channels: Record<number, ChannelScope>;
}

/** The part of a subscription that decides about messages. */
export type ChannelTie = Pick<Subscription, 'channelId' | 'intervals'>;

/** A user who consented, with their relations to channels. */
export interface ConsentingReader {
  user: User;
  ties: ChannelTie[];
}

interface Tie {
  user: User;
  subscription: Subscription;
}

const asSubscription = (tie: ChannelTie): Subscription => tie as Subscription;

/** The data that every member may read, plus the data of the consenting users; or everything. */
export function scopeOf(type: ExportType, channels: Channel[], readers: ConsentingReader[]): ExportScope {
  const scopes: Record<number, ChannelScope> = {};
  const tiesOfAll = readers.flatMap(({ user, ties }) =>
    ties.map((tie): Tie => ({ user, subscription: asSubscription(tie) })),
  );
  const byChannel = Map.groupBy(tiesOfAll, ({ subscription }) => subscription.channelId);
  for (const channel of channels) {
    const scope =
      type === 'full_without_consent' ? 'all' : channelScope(channel, byChannel.get(channel.channelId) ?? []);
    if (scope === 'all' || scope.length > 0 || !channel.isPrivate) scopes[channel.channelId] = scope;
  }
  return { type, consentingIds: readers.map(({ user }) => user.userId), channels: scopes };
}

function channelScope(channel: Channel, ties: Tie[]): ChannelScope {
  if (readsEverything(anyMember, { channel, subscription: undefined })) return 'all';
  if (ties.some(({ user, subscription }) => readsEverything(user, { channel, subscription }))) return 'all';
  return union(
    ties.flatMap(({ user, subscription }) =>
      // A user who may read the first message of an interval may read the whole interval.
      subscription.intervals.filter(([from]) =>
        mayRead(user, sampleAt(channel, from + 1), { channel, subscription }),
      ),
    ),
  );
}

/** Position 0 precedes every subscription. */
const readsEverything = (user: User, view: ChannelView): boolean =>
  mayRead(user, sampleAt(view.channel, 0), view);

const sampleAt = ({ channelId }: Channel, messageId: number) => ({
  kind: 'channel' as const,
  messageId,
  channelId,
  topic: '',
  senderId: 0,
  isReadBySender: false,
});

function union(intervals: Interval[]): Interval[] {
  const merged: Interval[] = [];
  for (const [from, to] of [...intervals].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && (last[1] === null || from < last[1]))
      last[1] = last[1] === null || to === null ? null : Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** Whether the export includes the message. */
export function isInScope(scope: ExportScope, consenting: Set<number>, message: Message): boolean {
  if (scope.type === 'full_without_consent') return true;
  if (message.kind === 'direct') return message.recipients.some(({ id }) => consenting.has(id));
  const channel = scope.channels[message.channelId];
  if (channel === undefined || channel === 'all') return channel === 'all';
  const arrival = arrivalOf(message);
  return channel.some(([from, to]) => from < arrival && (to === null || arrival < to));
}
