import { isMuted, POLICY, policyOf } from './topics.ts';
import type { Snapshot } from './wire.ts';
import type { Message } from './wire-messages.ts';

type Way = 'desktop' | 'sound';

const settingsOf = (settings: Snapshot['user_settings'], way: Way) =>
  way === 'desktop'
    ? {
        personal: settings.enable_desktop_notifications,
        followed: settings.enable_followed_topic_desktop_notifications,
        channel: settings.enable_stream_desktop_notifications,
      }
    : {
        personal: settings.enable_sounds,
        followed: settings.enable_followed_topic_audible_notifications,
        channel: settings.enable_stream_audible_notifications,
      };

/** Whether the viewer wants to be notified of a new message at once in this way. */
export function isWanted(snapshot: Snapshot, message: Message, flags: string[], way: Way): boolean {
  const { user_settings: settings, user_id: ownId } = snapshot;
  if (message.sender_id === ownId || flags.includes('read')) return false;
  const wanted = settingsOf(settings, way);
  const isPersonal =
    message.type === 'private' || flags.includes('mentioned') || flags.includes('has_alert_word');
  if (isPersonal) return wanted.personal;
  const channelId = message.stream_id;
  const own = snapshot.subscriptions.find(({ stream_id }) => stream_id === channelId);
  const isFollowed = policyOf(snapshot, channelId, message.subject) === POLICY.followed;
  const isWildcard = flags.some((flag) => flag.endsWith('wildcard_mentioned'));
  if (isFollowed && wanted.followed) return true;
  if (isFollowed && isWildcard && settings.enable_followed_topic_wildcard_mentions_notify)
    return wanted.personal;
  if (isMuted(snapshot, channelId, message.subject)) return false;
  if (isWildcard && (own?.wildcard_mentions_notify ?? settings.wildcard_mentions_notify))
    return wanted.personal;
  return (way === 'desktop' ? own?.desktop_notifications : own?.audible_notifications) ?? wanted.channel;
}
