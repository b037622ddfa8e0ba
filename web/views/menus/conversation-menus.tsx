import { call } from '#web/net/api.ts';
import { unsubscribe } from '#web/net/channel-actions.ts';
import {
  attempt,
  copyText,
  isResolved,
  setChannelProperty,
  setTopicPolicy,
  someMessageOf,
  subscribe,
  toggleResolved,
} from '#web/net/message-actions.ts';
import { findMessage } from '#web/net/pages.ts';
import { markNarrow } from '#web/net/reading.ts';
import { mayDeleteTopics, mayJoin, mayResolve, moveRightsIn, obstacleToNewTopic } from '#web/net/rights.ts';
import { go, linkTo, openNarrow } from '#web/net/router.ts';
import { channels, ownChannels, server, showNotice, topicLabel } from '#web/net/store.ts';
import { confirm, openDialog } from '#web/parts/dialog.tsx';
import { Form, TextLine } from '#web/parts/form.tsx';
import { type MenuItem, type MenuItems, openMenu } from '#web/parts/layer.tsx';
import { channelNarrow, directNarrow, type Narrow, topicNarrow } from '#web/state/narrow.ts';
import { POLICY, policyOf } from '#web/state/topics.ts';
import { t } from '#web/texts/texts.ts';
import { openComposer } from '#web/views/compose/open-composer.ts';
import { openMove } from '#web/views/feed/move-form.tsx';
import { openChannelNotifications, openTopicNotifications } from './notification-menu.tsx';

const copyLink = (narrow: Narrow): MenuItem => ({
  icon: 'link',
  label: t('common.copyLink'),
  run: () => void copyText(`${location.origin}/${linkTo(narrow)}`, t('menus.linkCopied')),
});

const markRead = (narrow: Narrow): MenuItem => ({
  icon: 'check-check',
  label: t('menus.markAsRead'),
  run: () => void markNarrow(narrow, 'add', 'oldest'),
});

/** Everything that can be done with a channel. */
export function openChannelMenu(anchor: Element, channelId: number): void {
  const channel = channels.value.get(channelId);
  if (!channel) return;
  const own = ownChannels.value.get(channelId);
  const narrow = channelNarrow(channelId);
  openMenu(anchor, t('menus.channelMenu'), [
    obstacleToNewTopic(channelId) === undefined && {
      icon: 'pencil-line',
      label: t('menus.newTopic'),
      run: () => {
        openNarrow(narrow);
        requestAnimationFrame(() => requestAnimationFrame(openComposer));
      },
    },
    own && markRead(narrow),
    copyLink(narrow),
    own && {
      icon: own.pin_to_top ? 'pin-off' : 'pin',
      label: own.pin_to_top ? t('menus.unpin') : t('menus.pinToTheTop'),
      run: () => void setChannelProperty(channelId, 'pin_to_top', !own.pin_to_top),
    },
    own && {
      icon: own.is_muted ? 'volume-2' : 'volume-x',
      label: own.is_muted ? t('menus.unmuteChannel') : t('menus.muteChannel'),
      run: () => void setChannelProperty(channelId, 'is_muted', !own.is_muted),
    },
    own && {
      icon: 'bell',
      label: t('menus.notifications'),
      run: () => openChannelNotifications(anchor, channelId),
    },
    { icon: 'settings', label: t('menus.channelSettings'), run: () => go(`#channels/${channelId}`) },
    own
      ? {
          icon: 'log-out',
          label: t('menus.unsubscribe'),
          isDangerous: true,
          run: () => void unsubscribe(channel),
        }
      : mayJoin(channel) && {
          icon: 'plus',
          label: t('common.subscribe'),
          run: () => void subscribe(channel.name),
        },
  ]);
}

/** Everything that can be done with a topic. */
export function openTopicMenu(anchor: Element, channelId: number, topic: string): void {
  openMenu(anchor, t('menus.topicMenu'), topicItems(anchor, channelId, topic));
}

function topicItems(anchor: Element, channelId: number, topic: string): MenuItems {
  const narrow = topicNarrow(channelId, topic);
  const policy = policyOf(server.value, channelId, topic);
  const { mayRename, mayMoveOut } = moveRightsIn(channelId);
  const set = (wanted: number) => () =>
    void setTopicPolicy(channelId, topic, policy === wanted ? POLICY.inherit : wanted);
  return [
    {
      icon: 'bell',
      label: policy === POLICY.followed ? t('menus.unfollowTopic') : t('menus.followTopic'),
      run: set(POLICY.followed),
    },
    {
      icon: policy === POLICY.muted ? 'volume-2' : 'volume-x',
      label: policy === POLICY.muted ? t('menus.unmuteTopic') : t('menus.muteTopic'),
      run: set(POLICY.muted),
    },
    {
      icon: 'bell',
      label: t('menus.notifications'),
      run: () => openTopicNotifications(anchor, channelId, topic),
    },
    mayResolve(channelId, topic) && {
      icon: 'circle-check',
      label: isResolved(topic) ? t('menus.reopenTopic') : t('menus.markTopicAsResolved'),
      run: () => void withMessage(channelId, topic, (id) => toggleResolved(id, topic)),
    },
    mayRename && {
      icon: 'pencil',
      label: t('menus.renameTopic'),
      run: () => void withMessage(channelId, topic, async (id) => openRename(id, topic)),
    },
    (mayRename || mayMoveOut) && {
      icon: 'move-right',
      label: t('menus.moveTopic'),
      run: () =>
        void withMessage(channelId, topic, async (id) => {
          const message = await findMessage(id);
          if (message) openMove(message, 'change_all');
        }),
    },
    copyLink(narrow),
    markRead(narrow),
    {
      icon: 'inbox',
      label: t('menus.markAsUnread'),
      run: () => void markNarrow(narrow, 'remove', 'oldest'),
    },
    mayDeleteTopics(channelId) && {
      icon: 'trash',
      label: t('menus.deleteTopic'),
      isDangerous: true,
      run: () => void withMessage(channelId, topic, async (id) => askToDeleteTopic(id, topic)),
    },
  ];
}

/** Runs something that names a topic by one of its messages. */
async function withMessage(
  channelId: number,
  topic: string,
  run: (messageId: number) => Promise<unknown>,
): Promise<void> {
  const id = await someMessageOf(channelId, topic);
  if (id === undefined) showNotice(t('menus.thisTopicHasNoMessages'));
  else await run(id);
}

const askToDeleteTopic = (messageId: number, topic: string): void =>
  confirm(
    t('menus.deleteTopicQuestion', { topic: topicLabel(topic) }),
    t('menus.allItsMessagesWillBe'),
    t('menus.deleteTopic5'),
    () => void attempt(t('menus.couldntDeleteTheTopic'), () => deleteTopicOf(messageId)),
  );

/** The topic may have been renamed since its menu was opened. */
async function deleteTopicOf(messageId: number): Promise<void> {
  const { stream_id: channelId, subject: topic } = (await findMessage(messageId)) ?? {};
  for (let complete = channelId === undefined; !complete; )
    ({ complete } = await call<{ complete: boolean }>('POST', `/streams/${channelId}/delete_topic`, {
      topic_name: topic,
    }));
}

const openRename = (messageId: number, topic: string): void =>
  openDialog(t('menus.renameTopic5'), (close) => (
    <Form
      label={t('menus.rename')}
      cancel={close}
      submit={async (fields) => {
        const name = String(fields.get('topic')).trim();
        if (name !== topic)
          await call('PATCH', `/messages/${messageId}`, { topic: name, propagate_mode: 'change_all' });
        close();
      }}
    >
      <TextLine
        label={t('common.topic')}
        name="topic"
        longest={server.value.max_topic_length}
        value={topic}
        isRequired
      />
    </Form>
  ));

/** Everything that can be done with a direct conversation. */
export function openDirectMenu(anchor: Element, userIds: readonly number[]): void {
  const narrow = directNarrow(userIds);
  const [only] = userIds;
  openMenu(anchor, t('menus.conversationMenu'), [
    markRead(narrow),
    { icon: 'inbox', label: t('menus.markAsUnread'), run: () => void markNarrow(narrow, 'remove', 'oldest') },
    copyLink(narrow),
    userIds.length === 1 && { icon: 'user', label: t('common.profile'), run: () => go(`#user/${only}`) },
  ]);
}
