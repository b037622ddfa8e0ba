import { useSignal } from '@preact/signals';
import {
  isResolved,
  setChannelProperty,
  setTopicPolicy,
  someMessageOf,
  subscribe,
  toggleResolved,
} from '#web/net/message-actions.ts';
import { markNarrow } from '#web/net/reading.ts';
import { linkTo } from '#web/net/router.ts';
import { channels, nameOfPerson, ownChannels, topicLabel, useServer } from '#web/net/store.ts';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { openMenu } from '#web/parts/layer.tsx';
import { channelNarrow, conversationOf, type Narrow, operandOf } from '#web/state/narrow.ts';
import { POLICY, policyOf } from '#web/state/topics.ts';
import { Head } from '#web/views/shell/head.tsx';
import { PresenceDot } from '#web/views/shell/navigation.tsx';
import { SearchBox, searchText } from './search-box.tsx';

/** Where a feed is, and what can be done with the whole of it. */
export function FeedHead({ narrow }: { narrow: Narrow }) {
  const isSearching = useSignal(false);
  const conversation = conversationOf(narrow);
  const channelId = Number(operandOf(narrow, 'channel'));
  if (isSearching.value || operandOf(narrow, 'search') !== undefined)
    return (
      <SearchBox narrow={narrow} close={() => (isSearching.value = false)} isAlone={!isSearching.value} />
    );
  const search = (
    <IconButton icon="search" label="Search" onClick={() => (isSearching.value = true)} class="open-search" />
  );
  if (conversation?.type === 'stream')
    return (
      <TopicSummary channelId={conversation.channelId} topic={conversation.topic} narrow={narrow}>
        {search}
      </TopicSummary>
    );
  if (conversation) {
    const [first = 0, ...others] = conversation.userIds;
    const mark = others.length === 0 ? <PresenceDot userId={first} /> : <Icon name="users" />;
    const title = conversation.userIds.map(nameOfPerson).join(', ');
    return (
      <Head title={title} mark={mark}>
        {search}
      </Head>
    );
  }
  if (channelId > 0 && narrow.length === 1) return <ChannelHead channelId={channelId}>{search}</ChannelHead>;
  return <Head title={titleOf(narrow)}>{search}</Head>;
}

const TITLES: Record<string, string> = {
  'in:home': 'Combined feed',
  'is:mentioned': 'Mentions',
  'is:starred': 'Starred',
  'is:dm': 'Direct messages',
  'is:unread': 'Unread',
};

const titleOf = (narrow: Narrow): string => {
  const [first] = narrow;
  return (narrow.length === 1 && TITLES[`${first?.operator}:${first?.operand}`]) || searchText(narrow);
};

type Children = { children: preact.ComponentChildren };

function ChannelHead({ channelId, children }: { channelId: number } & Children) {
  const channel = channels.value.get(channelId);
  const own = ownChannels.value.get(channelId);
  if (!channel) return <Head title="Unknown channel">{children}</Head>;
  const mark = channel.invite_only ? (
    <Icon name="lock" />
  ) : (
    <span class="swatch" style={{ '--c': own?.color }} />
  );
  return (
    <Head title={channel.name} mark={mark} note={channel.description}>
      {!own && (
        <button type="button" class="button primary" onClick={() => void subscribe(channel.name)}>
          Subscribe
        </button>
      )}
      {children}
      {own && (
        <IconButton
          icon="ellipsis"
          label="Channel actions"
          onClick={(event) => openChannelMenu(event.currentTarget, channelId)}
        />
      )}
    </Head>
  );
}

function openChannelMenu(anchor: Element, channelId: number): void {
  const own = ownChannels.value.get(channelId);
  if (!own) return;
  openMenu(anchor, 'Channel', [
    {
      icon: 'check-check',
      label: 'Mark all as read',
      run: () => void markNarrow(channelNarrow(channelId), 'add', 'oldest'),
    },
    {
      icon: own.pin_to_top ? 'pin-off' : 'pin',
      label: own.pin_to_top ? 'Unpin' : 'Pin to the top',
      run: () => void setChannelProperty(channelId, 'pin_to_top', !own.pin_to_top),
    },
    {
      icon: own.is_muted ? 'volume-2' : 'volume-x',
      label: own.is_muted ? 'Unmute' : 'Mute',
      run: () => void setChannelProperty(channelId, 'is_muted', !own.is_muted),
    },
  ]);
}

function TopicSummary({
  channelId,
  topic,
  narrow,
  children,
}: { channelId: number; topic: string; narrow: Narrow } & Children) {
  const channel = channels.value.get(channelId);
  const own = ownChannels.value.get(channelId);
  const policy = useServer((snapshot) => policyOf(snapshot, channelId, topic), [channelId, topic]);
  const isFollowed = policy === POLICY.followed;
  const mark = channel?.invite_only ? (
    <Icon name="lock" />
  ) : (
    <span class="swatch" style={{ '--c': own?.color }} />
  );
  const resolve = async (): Promise<void> => {
    const id = await someMessageOf(channelId, topic);
    if (id !== undefined) await toggleResolved(id, topic);
  };
  return (
    <Head
      title={topicLabel(topic)}
      mark={mark}
      crumb={channel?.name ?? 'Unknown channel'}
      crumbLink={linkTo(channelNarrow(channelId))}
    >
      {children}
      <IconButton
        icon="bell"
        label={isFollowed ? 'Do not follow the topic' : 'Follow the topic'}
        isPressed={isFollowed}
        class="not-narrow"
        onClick={() => void setTopicPolicy(channelId, topic, isFollowed ? POLICY.inherit : POLICY.followed)}
      />
      <IconButton
        icon="circle-check"
        label={isResolved(topic) ? 'Open the topic again' : 'Mark as resolved'}
        isPressed={isResolved(topic)}
        class="not-narrow"
        onClick={() => void resolve()}
      />
      <IconButton
        icon="ellipsis"
        label="Topic actions"
        onClick={(event) =>
          openMenu(event.currentTarget, 'Topic', [
            {
              icon: 'check-check',
              label: 'Mark as read',
              run: () => void markNarrow(narrow, 'add', 'oldest'),
            },
            {
              icon: 'bell',
              label: isFollowed ? 'Do not follow' : 'Follow',
              run: () => void setTopicPolicy(channelId, topic, isFollowed ? POLICY.inherit : POLICY.followed),
            },
            {
              icon: policy === POLICY.muted ? 'volume-2' : 'volume-x',
              label: policy === POLICY.muted ? 'Unmute' : 'Mute',
              run: () =>
                void setTopicPolicy(
                  channelId,
                  topic,
                  policy === POLICY.muted ? POLICY.inherit : POLICY.muted,
                ),
            },
            {
              icon: 'circle-check',
              label: isResolved(topic) ? 'Open again' : 'Mark as resolved',
              run: () => void resolve(),
            },
          ])
        }
      />
    </Head>
  );
}
