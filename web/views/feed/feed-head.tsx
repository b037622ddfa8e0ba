import {
  isResolved,
  setTopicPolicy,
  someMessageOf,
  subscribe,
  toggleResolved,
} from '#web/net/message-actions.ts';
import { mayJoin, mayResolve } from '#web/net/rights.ts';
import { linkTo } from '#web/net/router.ts';
import { channels, nameOfPerson, ownChannels, topicLabel, useServer } from '#web/net/store.ts';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import type { IconName } from '#web/parts/icon-drawings.ts';
import { Rendered } from '#web/parts/rendered.tsx';
import { channelNarrow, conversationOf, type Narrow, operandOf } from '#web/state/narrow.ts';
import { POLICY, policyOf } from '#web/state/topics.ts';
import type { Channel } from '#web/state/wire.ts';
import { t } from '#web/texts/texts.ts';
import { CallButton } from '#web/views/compose/call-button.tsx';
import { openChannelMenu, openTopicMenu } from '#web/views/menus/conversation-menus.tsx';
import { PresenceDot } from '#web/views/shell/face.tsx';
import { Head } from '#web/views/shell/head.tsx';
import { SearchBox, SearchChips, searchText } from './search-box.tsx';

/** The name of a feed, and the actions for the whole of it. */
export function FeedHead({ narrow }: { narrow: Narrow }) {
  const conversation = conversationOf(narrow);
  const channelId = Number(operandOf(narrow, 'channel'));
  if (operandOf(narrow, 'search') !== undefined)
    return (
      <div>
        <SearchBox />
        <SearchChips narrow={narrow} />
      </div>
    );
  if (conversation?.type === 'stream')
    return <TopicSummary channelId={conversation.channelId} topic={conversation.topic} />;
  if (conversation) {
    const [first = 0, ...others] = conversation.userIds;
    const mark = others.length === 0 ? <PresenceDot userId={first} /> : <Icon name="users" />;
    const title = conversation.userIds.map(nameOfPerson).join(t('common.comma'));
    return (
      <Head title={title} mark={mark}>
        <CallButton conversation={conversation} />
      </Head>
    );
  }
  if (channelId > 0 && narrow.length === 1) return <ChannelHead channelId={channelId} />;
  return <Head title={titleOf(narrow)} />;
}

const TITLES: Record<string, string> = {
  'in:home': t('common.combinedFeed'),
  'is:mentioned': t('common.mentions'),
  'is:starred': t('feed.starred'),
  'is:dm': t('common.directMessages'),
  'is:unread': t('feed.unread'),
};

const titleOf = (narrow: Narrow): string => {
  const [first] = narrow;
  return (narrow.length === 1 && TITLES[`${first?.operator}:${first?.operand}`]) || searchText(narrow);
};

/** Of a long description, which is shown whole in the settings, the head has the first paragraph. */
const firstLine = (html: string): string => /^<p>.*?<\/p>/s.exec(html)?.[0] ?? html;

/** The spine of a channel, and a lock where not everyone reads it. */
const ChannelMark = ({ channel, color }: { channel: Channel | undefined; color: string | undefined }) => (
  <>
    <span class="swatch" style={{ '--c': color }} />
    {channel?.invite_only && <Icon name="lock" />}
  </>
);

function ChannelHead({ channelId }: { channelId: number }) {
  const channel = channels.value.get(channelId);
  const own = ownChannels.value.get(channelId);
  if (!channel) return <Head title={t('feed.unknownChannel')} />;
  const mark = <ChannelMark channel={channel} color={own?.color} />;
  return (
    <Head
      title={channel.name}
      mark={mark}
      note={<Rendered html={firstLine(channel.rendered_description)} class="head-description" />}
    >
      {!own && mayJoin(channel) && (
        <button type="button" class="button primary" onClick={() => void subscribe(channel.name)}>
          {t('common.subscribe')}
        </button>
      )}
      <IconButton
        icon="ellipsis"
        label={t('feed.channelMenu')}
        onClick={(event) => openChannelMenu(event.currentTarget, channelId)}
      />
    </Head>
  );
}

/** A button for a frequent action on a topic; shows its label if there is room. */
function HeadVerb({
  icon,
  label,
  isOn,
  run,
}: {
  icon: IconName;
  label: string;
  isOn: boolean;
  run: () => void;
}) {
  return (
    <button
      type="button"
      class="button quiet-button head-verb"
      title={label}
      aria-pressed={isOn}
      onClick={run}
    >
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  );
}

function TopicSummary({ channelId, topic }: { channelId: number; topic: string }) {
  const channel = channels.value.get(channelId);
  const own = ownChannels.value.get(channelId);
  const policy = useServer((snapshot) => policyOf(snapshot, channelId, topic), [channelId, topic]);
  const isFollowed = policy === POLICY.followed;
  const hasResolve = useServer(() => mayResolve(channelId, topic), [channelId, topic]);
  const mark = <ChannelMark channel={channel} color={own?.color} />;
  const resolve = async (): Promise<void> => {
    const id = await someMessageOf(channelId, topic);
    if (id !== undefined) await toggleResolved(id, topic);
  };
  return (
    <Head
      title={topicLabel(topic)}
      mark={mark}
      crumb={channel?.name ?? t('feed.unknownChannel')}
      crumbLink={linkTo(channelNarrow(channelId))}
    >
      <HeadVerb
        icon="bell"
        label={isFollowed ? t('feed.unfollowTopic') : t('feed.followTopic')}
        isOn={isFollowed}
        run={() => void setTopicPolicy(channelId, topic, isFollowed ? POLICY.inherit : POLICY.followed)}
      />
      {hasResolve && (
        <HeadVerb
          icon="circle-check"
          label={isResolved(topic) ? t('feed.reopenTopic') : t('feed.markAsResolved')}
          isOn={isResolved(topic)}
          run={() => void resolve()}
        />
      )}
      <IconButton
        icon="ellipsis"
        label={t('feed.topicMenu')}
        onClick={(event) => openTopicMenu(event.currentTarget, channelId, topic)}
      />
    </Head>
  );
}
