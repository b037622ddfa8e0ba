import type { ChannelRecord } from '#shared/domain/channels/channel.ts';
import type { UserSettings } from '#shared/domain/settings/user-settings.ts';
import type { Subscription } from './subscription.ts';

/** The personal part of a subscription, which its owner sees beside the channel. */
export type Personal = Pick<
  Subscription,
  | 'color'
  | 'isMuted'
  | 'isPinned'
  | 'desktopNotifications'
  | 'audibleNotifications'
  | 'pushNotifications'
  | 'emailNotifications'
  | 'wildcardMentionsNotify'
>;

export interface SubscriptionStyle {
  /** The owner's settings, which replace inherited values; null for clients that support inheritance. */
  inherited: UserSettings | null;
}

/**
 * The subscription record of the reference: the channel record, with subscribers if present, and the personal
 * part.
 */
export function toSubscriptionRecord<Channel extends ChannelRecord>(
  channel: Channel,
  personal: Personal,
  style: SubscriptionStyle,
) {
  const inherit = (value: boolean | null, setting: keyof UserSettings): boolean | null =>
    value ?? (style.inherited ? Boolean(style.inherited[setting]) : null);
  return {
    ...channel,
    color: personal.color,
    is_muted: personal.isMuted,
    in_home_view: !personal.isMuted,
    pin_to_top: personal.isPinned,
    desktop_notifications: inherit(personal.desktopNotifications, 'enable_stream_desktop_notifications'),
    audible_notifications: inherit(personal.audibleNotifications, 'enable_stream_audible_notifications'),
    push_notifications: inherit(personal.pushNotifications, 'enable_stream_push_notifications'),
    email_notifications: inherit(personal.emailNotifications, 'enable_stream_email_notifications'),
    wildcard_mentions_notify: inherit(personal.wildcardMentionsNotify, 'wildcard_mentions_notify'),
  };
}
