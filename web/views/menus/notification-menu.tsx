import { call } from '#web/net/api.ts';
import { attempt, setTopicPolicy } from '#web/net/message-actions.ts';
import { go } from '#web/net/router.ts';
import { ownChannels, server } from '#web/net/store.ts';
import { openMenu } from '#web/parts/layer.tsx';
import { POLICY, policyOf } from '#web/state/topics.ts';
import { t } from '#web/texts/texts.ts';

/** The kinds of notification that a menu changes together; the channel's page has each of them. */
const KINDS = ['desktop_notifications', 'audible_notifications', 'push_notifications'] as const;

const CHANNEL_CHOICES = [
  { label: t('menus.everyMessage'), value: true },
  { label: t('menus.mentionsOnly'), value: false },
  { label: t('menus.asInMySettings'), value: null },
] as const;

/** The notifications of a channel: every message, mentions alone, or the viewer's default. */
export function openChannelNotifications(anchor: Element, channelId: number): void {
  const own = ownChannels.value.get(channelId);
  if (!own) return;
  openMenu(anchor, t('settings.notifications'), [
    ...CHANNEL_CHOICES.map(({ label, value }) => ({
      icon: 'bell' as const,
      label,
      isChosen: KINDS.every((kind) => own[kind] === value),
      run: () => void saveKinds(channelId, value),
    })),
    { icon: 'settings', label: t('menus.eachKind'), run: () => go(`#channels/${channelId}`) },
  ]);
}

const saveKinds = (channelId: number, value: boolean | null): Promise<boolean> =>
  attempt(t('menus.couldntChangeTheNotifications'), () =>
    call('POST', '/users/me/subscriptions/properties', {
      subscription_data: KINDS.map((property) => ({ stream_id: channelId, property, value })),
    }),
  );

const TOPIC_CHOICES = [
  { icon: 'bell', label: t('menus.everyMessage'), policy: POLICY.followed },
  { icon: 'circle-check', label: t('menus.asInTheChannel'), policy: POLICY.inherit },
  { icon: 'volume-x', label: t('menus.nothingAndOutOfSight'), policy: POLICY.muted },
] as const;

/** What notifies in a topic: it is followed, like its channel, or muted. */
export function openTopicNotifications(anchor: Element, channelId: number, topic: string): void {
  const now = policyOf(server.value, channelId, topic);
  openMenu(
    anchor,
    t('settings.notifications'),
    TOPIC_CHOICES.map(({ icon, label, policy }) => ({
      icon,
      label,
      isChosen: now === policy,
      run: () => void setTopicPolicy(channelId, topic, policy),
    })),
  );
}
