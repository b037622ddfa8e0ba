import { memo } from 'preact/compat';
import { useMemo, useRef } from 'preact/hooks';
import { Virtualizer } from 'virtua';
import { markNarrow } from '#web/net/reading.ts';
import { linkTo } from '#web/net/router.ts';
import { channels, nameOfPerson, server, topicLabel, useServer } from '#web/net/store.ts';
import { Empty } from '#web/parts/empty.tsx';
import { IconButton } from '#web/parts/icon.tsx';
import { channelNarrow, directNarrow, topicNarrow } from '#web/state/narrow.ts';
import { type ChannelUnread, channelSections, unreadCounts } from '#web/state/sidebar.ts';
import { isMuted } from '#web/state/topics.ts';
import type { Subscription } from '#web/state/wire.ts';
import { Head } from '#web/views/shell/head.tsx';

/** A channel of the inbox; direct messages stand before all channels. */
interface Group {
  channel: Subscription;
  unread: ChannelUnread;
}

/** Conversations with unread messages: people first, then channels in the order of the navigation. */
export function Inbox() {
  const page = useRef<HTMLDivElement>(null);
  const counts = useServer(unreadCounts);
  const subscriptions = useServer((snapshot) => snapshot.subscriptions);
  const folders = useServer((snapshot) => snapshot.channel_folders);
  const order = useMemo(
    () => channelSections(server.peek()).flatMap(({ channels }) => channels),
    [subscriptions, folders],
  );
  const groups = order.flatMap((channel): Group[] => {
    const unread = counts.byChannel.get(channel.stream_id);
    return unread && unread.heard > 0 ? [{ channel, unread }] : [];
  });
  const hasDirect = counts.byPeople.size > 0;
  const items: (Group | 'direct')[] = hasDirect ? ['direct', ...groups] : groups;
  return (
    <main class="main">
      <Head title="Inbox" />
      <div class="page" ref={page}>
        {items.length === 0 ? (
          <NothingUnread isNew={subscriptions.length === 0} />
        ) : (
          <Virtualizer scrollRef={page} data={items} bufferSize={600}>
            {(item: Group | 'direct') =>
              item === 'direct' ? (
                <DirectGroup key="direct" counts={counts.byPeople} />
              ) : (
                <ChannelGroup key={item.channel.stream_id} {...item} />
              )
            }
          </Virtualizer>
        )}
      </div>
    </main>
  );
}

function NothingUnread({ isNew }: { isNew: boolean }) {
  if (isNew) return <FirstSteps />;
  return (
    <Empty
      icon="circle-check"
      title="Nothing unread"
      text="You have read everything. New messages appear here."
    >
      <a class="button" href="#recent">
        Recent conversations
      </a>
    </Empty>
  );
}

/** What a person does first who reads no channel yet. */
function FirstSteps() {
  const name = useServer(({ realm_name }) => realm_name);
  const mayCreate = useServer(({ can_create_streams }) => can_create_streams);
  const mayInvite = useServer(({ can_invite_others_to_realm }) => can_invite_others_to_realm);
  const hasChannels = channels.value.size > 0;
  return (
    <Empty
      icon="hash"
      title={`Welcome to ${name}`}
      text={
        hasChannels
          ? 'Conversations have topics, and topics live in channels. Choose the channels that you want to read.'
          : 'Conversations have topics, and topics live in channels. Create the first channel, and invite the people you work with.'
      }
    >
      <div class="steps">
        {hasChannels ? (
          <a class="button primary" href="#channels/available">
            Find channels
          </a>
        ) : (
          mayCreate && (
            <a class="button primary" href="#channels/new">
              Create a channel
            </a>
          )
        )}
        {mayInvite && (
          <a class="button" href="#invite">
            Invite people
          </a>
        )}
      </div>
    </Empty>
  );
}

function DirectGroup({ counts }: { counts: ReadonlyMap<string, number> }) {
  return (
    <section class="inbox-group" aria-labelledby="inbox-direct">
      <h2 id="inbox-direct">Direct messages</h2>
      {[...counts].map(([key, count]) => (
        <DirectLine key={key} userIds={key} count={count} />
      ))}
    </section>
  );
}

const DirectLine = memo(({ userIds, count }: { userIds: string; count: number }) => {
  const ids = userIds.split(',').map(Number);
  const narrow = directNarrow(ids);
  return (
    <Line
      link={linkTo(narrow)}
      read={() => void markNarrow(narrow, 'add', 'oldest')}
      name={ids.map(nameOfPerson).join(', ')}
      count={count}
      isHot
    />
  );
});

/** Drawn again only where its own numbers change. */
const ChannelGroup = memo(
  ({ channel: { stream_id: id, name, color }, unread }: Group) => {
    const topics = [...unread.topics.values()].filter((topic) => !isMuted(server.peek(), id, topic.name));
    return (
      <section class="inbox-group" aria-label={name}>
        <h2>
          <span class="swatch" style={{ '--c': color }} />
          <a href={linkTo(channelNarrow(id))}>{name}</a>
        </h2>
        {topics.map((topic) => (
          <TopicLine key={topic.name} channelId={id} {...topic} />
        ))}
      </section>
    );
  },
  (a, b) => a.channel === b.channel && a.unread === b.unread,
);

interface TopicProps {
  channelId: number;
  name: string;
  count: number;
  isMentioned: boolean;
}

const TopicLine = memo(({ channelId, name, count, isMentioned }: TopicProps) => {
  const narrow = topicNarrow(channelId, name);
  return (
    <Line
      link={linkTo(narrow)}
      read={() => void markNarrow(narrow, 'add', 'oldest')}
      name={topicLabel(name)}
      count={count}
      isHot={isMentioned}
    />
  );
});

interface LineProps {
  link: string;
  read: () => void;
  name: string;
  count: number;
  isHot: boolean;
}

function Line({ link, read, name, count, isHot }: LineProps) {
  return (
    <div class="inbox-line">
      <a href={link}>{name}</a>
      <span class={isHot ? 'count hot' : 'count'}>
        {count}
        <span class="hidden-visually"> unread</span>
      </span>
      <IconButton icon="check" label={`Mark ${name} as read`} onClick={read} />
    </div>
  );
}
