import { isResolved, setTopicPolicy, toggleResolved } from '#web/net/message-actions.ts';
import { mayResolve } from '#web/net/rights.ts';
import { linkTo } from '#web/net/router.ts';
import { channels, nameOfPerson, ownChannels, server, topicLabel, useServer } from '#web/net/store.ts';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { dayLabel } from '#web/parts/time.ts';
import { type Conversation, channelNarrow, narrowOf } from '#web/state/narrow.ts';
import { POLICY, policyOf } from '#web/state/topics.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { listOf, t } from '#web/texts/texts.ts';
import { openTopicMenu } from '#web/views/menus/conversation-menus.tsx';

interface Props {
  conversation: Conversation;
  /** The message below the bar. */
  message: Message;
}

/** The conversation of the messages that follow, in feeds that show several. */
export function ConversationBar({ conversation, message }: Props) {
  if (conversation.type === 'stream')
    return <TopicBar channelId={conversation.channelId} topic={conversation.topic} message={message} />;
  const ownId = server.value.user_id;
  const others = conversation.userIds.filter((id) => id !== ownId).map(nameOfPerson);
  return (
    <div class="bar">
      <span class="swatch" />
      <Icon name="message-square" />
      <a href={linkTo(narrowOf(conversation), message.id)}>
        {others.length === 0 ? nameOfPerson(ownId) : listOf([t('feed.you'), ...others])}
      </a>
      <span class="bar-tools">
        <BarDay message={message} />
      </span>
    </div>
  );
}

const BarDay = ({ message }: Pick<Props, 'message'>) => (
  <span class="bar-day">{dayLabel(message.timestamp)}</span>
);

function TopicBar({
  channelId,
  topic,
  message,
}: Pick<Props, 'message'> & { channelId: number; topic: string }) {
  const policy = useServer((snapshot) => policyOf(snapshot, channelId, topic), [channelId, topic]);
  const isFollowed = policy === POLICY.followed;
  const hasResolve = useServer(() => mayResolve(channelId, topic), [channelId, topic]);
  const link = linkTo(narrowOf({ type: 'stream', channelId, topic }), message.id);
  return (
    <div class="bar" style={{ '--c': ownChannels.value.get(channelId)?.color }}>
      <span class="swatch" />
      <a class="crumb" href={linkTo(channelNarrow(channelId))}>
        {channels.value.get(channelId)?.name ?? t('feed.unknownChannel')}
      </a>
      <span aria-hidden="true">›</span>
      <a href={link}>{topicLabel(topic)}</a>
      <span class="bar-tools">
        <BarDay message={message} />
        <IconButton
          icon="bell"
          label={isFollowed ? t('feed.unfollowTopic') : t('feed.followTopic')}
          isPressed={isFollowed}
          onClick={() => void setTopicPolicy(channelId, topic, isFollowed ? POLICY.inherit : POLICY.followed)}
        />
        {hasResolve && (
          <IconButton
            icon="circle-check"
            label={isResolved(topic) ? t('feed.reopenTopic') : t('feed.markAsResolved')}
            isPressed={isResolved(topic)}
            onClick={() => void toggleResolved(message.id, topic)}
          />
        )}
        <IconButton
          icon="ellipsis"
          label={t('feed.topicMenu')}
          onClick={(event) => openTopicMenu(event.currentTarget, channelId, topic)}
        />
      </span>
    </div>
  );
}
