import { hasContentAccess } from '#shared/domain/channels/permissions.ts';
import type { ChannelView } from '#shared/domain/messages/access.ts';
import { isSubscribed } from '#shared/domain/subscriptions/subscription.ts';
import { isGuest, reachesChannel, type User } from '#shared/domain/users/user.ts';
import type { Channel } from './channel.ts';

/** Kinds of channels; a channel is selected when it belongs to one of them. */
export interface Kinds {
  public: boolean;
  webPublic: boolean;
  subscribed: boolean;
  /** Every channel; the caller must have checked that the user may request this. */
  all: boolean;
  readable: boolean;
  archived: boolean;
}

/** The channels of the requested kinds that the user may know of. */
export function selectChannels(
  user: User,
  views: ChannelView[],
  ownerViews: ChannelView[],
  kinds: Kinds,
): Channel[] {
  const ofOwner = new Set(
    ownerViews
      .filter(({ subscription }) => isSubscribed(subscription))
      .map(({ channel }) => channel.channelId),
  );
  const isSelected = (view: ChannelView): boolean => {
    const { channel, subscription } = view;
    return (
      kinds.all ||
      (kinds.public && !channel.isPrivate && !isGuest(user)) ||
      (kinds.webPublic && channel.isWebPublic) ||
      (kinds.subscribed && isSubscribed(subscription)) ||
      (kinds.readable && hasContentAccess(user, view)) ||
      ofOwner.has(channel.channelId)
    );
  };
  return views
    .filter(({ channel }) => reachesChannel(user, channel.channelId))
    .filter((view) => kinds.archived || !view.channel.isArchived)
    .filter(isSelected)
    .map(({ channel }) => channel);
}
