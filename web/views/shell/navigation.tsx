import { useComputed, useSignal } from '@preact/signals';
import { memo } from 'preact/compat';
import { useEffect, useRef } from 'preact/hooks';
import { loadTopics } from '#web/net/pages.ts';
import { linkTo, route } from '#web/net/router.ts';
import { cache, nameOfPerson, server, topicLabel, useServer } from '#web/net/store.ts';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { rove } from '#web/parts/roving.ts';
import { foldName } from '#web/state/names.ts';
import { channelNarrow, directNarrow, type Narrow, operandOf, topicNarrow } from '#web/state/narrow.ts';
import { labelOfKey } from '#web/state/shortcuts.ts';
import { channelSections, directConversations, unreadCounts } from '#web/state/sidebar.ts';
import { isMuted } from '#web/state/topics.ts';
import type { Snapshot, Subscription } from '#web/state/wire.ts';
import { t } from '#web/texts/texts.ts';
import { openNewMessage } from '#web/views/compose/new-message.tsx';
import { openChannelMenu, openDirectMenu, openTopicMenu } from '#web/views/menus/conversation-menus.tsx';
import { RowMenu } from '#web/views/menus/row-menu.tsx';
import { Face } from './face.tsx';
import { FirstSteps } from './first-steps.tsx';
import { OrganizationMenu } from './organization-menu.tsx';
import { StatusSign } from './status-sign.tsx';
import { openSwitcher } from './switcher.tsx';
import { Count, Views } from './view-links.tsx';

const MOST_TOPICS = 8;
const MOST_DIRECT = 8;

/** Views, people and channels, each with its number of unread messages. */
export function Navigation() {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => (list.current ? rove(list.current) : undefined), []);
  return (
    <nav class="rail" aria-label={t('shell.navigation')}>
      <div class="rail-head">
        <OrganizationMenu />
        <IconButton
          icon="pencil-line"
          label={t('shell.newMessage')}
          class="new-message-button"
          onClick={() => openNewMessage()}
        />
      </div>
      <button type="button" class="jump" onClick={() => openSwitcher()}>
        <Icon name="search" />
        <span>{t('shell.searchOrJumpTo')}</span>
        <kbd>{labelOfKey('Ctrl+k')}</kbd>
      </button>
      <div class="nav" ref={list}>
        <FirstSteps />
        <Views />
        <DirectMessages />
        <Channels />
      </div>
    </nav>
  );
}

function DirectMessages() {
  const conversations = useServer((snapshot) => directConversations(snapshot, MOST_DIRECT), []);
  const open = useComputed(() =>
    route.value.view === 'narrow' ? operandOf(route.value.narrow, 'dm') : undefined,
  ).value;
  return (
    <section class="nav-section" aria-labelledby="nav-direct">
      <div class="nav-title">
        <h2 id="nav-direct">
          <a href="#narrow/is/dm">{t('common.directMessages')}</a>
        </h2>
        <button
          type="button"
          class="nav-plus"
          aria-label={t('shell.newDirectMessage')}
          onClick={() => openNewMessage('people')}
        >
          <Icon name="plus" />
        </button>
      </div>
      {conversations.map(({ userIds, unread }) => {
        const narrow = directNarrow(userIds);
        const name = userIds.map(nameOfPerson).join(t('common.comma'));
        return (
          <RowMenu key={narrow[0]?.operand} label={name} open={(anchor) => openDirectMenu(anchor, userIds)}>
            <a
              class={unread > 0 ? 'row new' : 'row'}
              href={linkTo(narrow)}
              aria-current={open === narrow[0]?.operand ? 'page' : undefined}
            >
              {userIds.length === 1 ? <Face userId={userIds[0] ?? 0} /> : <Icon name="users" />}
              <span class="row-name">{name}</span>
              {userIds.length === 1 && <StatusSign userId={userIds[0] ?? 0} />}
              <Count number={unread} isHot />
            </a>
          </RowMenu>
        );
      })}
    </section>
  );
}

function Channels() {
  const sections = useServer((snapshot) => sectionsOf(snapshot));
  const openChannel = useComputed(() =>
    route.value.view === 'narrow' ? Number(operandOf(route.value.narrow, 'channel')) : Number.NaN,
  ).value;
  const closed = useSignal<ReadonlySet<string>>(new Set());
  const toggle = (key: string): void => {
    const next = new Set(closed.value);
    if (!next.delete(key)) next.add(key);
    closed.value = next;
  };
  return (
    <>
      {sections.map(({ key, title, channels }) => (
        <section class="nav-section" key={key} aria-label={title}>
          <div class="nav-title">
            <h2>
              <button type="button" aria-expanded={!closed.value.has(key)} onClick={() => toggle(key)}>
                {title}
              </button>
            </h2>
            {key === sections.at(-1)?.key && (
              <a class="nav-plus" href="#channels/all" aria-label={t('shell.browseAndCreateChannels')}>
                <Icon name="plus" />
              </a>
            )}
          </div>
          {channels
            .filter((channel) => !closed.value.has(key) || channel.stream_id === openChannel)
            .map((channel) => (
              <ChannelRow
                key={channel.stream_id}
                channel={channel}
                isOpen={channel.stream_id === openChannel}
              />
            ))}
        </section>
      ))}
      {sections.length === 0 && (
        <a class="row" href="#channels/all">
          <Icon name="plus" />
          <span class="row-name">{t('shell.browseChannels')}</span>
        </a>
      )}
    </>
  );
}

const made = new WeakMap<Subscription[], ReturnType<typeof channelSections>>();

/** The same sections as long as the subscriptions are the same. */
function sectionsOf(snapshot: Snapshot): ReturnType<typeof channelSections> {
  const known = made.get(snapshot.subscriptions);
  if (known) return known;
  const sections = channelSections(snapshot);
  made.set(snapshot.subscriptions, sections);
  return sections;
}

/** Drawn again only where its own numbers change: there may be hundreds. */
const ChannelRow = memo(({ channel, isOpen }: { channel: Subscription; isOpen: boolean }) => {
  const { stream_id: id, name, color, is_muted: muted, invite_only: isPrivate } = channel;
  const unread = useServer((snapshot) => unreadCounts(snapshot).byChannel.get(id), [id]);
  const isTopicOpen =
    isOpen && route.value.view === 'narrow' && operandOf(route.value.narrow, 'topic') !== undefined;
  const heard = unread?.heard ?? 0;
  return (
    <>
      <RowMenu label={name} open={(anchor) => openChannelMenu(anchor, id)}>
        <a
          class={`row${heard > 0 ? ' new' : ''}${muted ? ' muted' : ''}`}
          href={linkTo(channelNarrow(id))}
          aria-current={isOpen && !isTopicOpen ? 'page' : undefined}
        >
          <span class="swatch" style={{ '--c': color }} />
          <span class="row-name">{name}</span>
          {isPrivate && <Icon name="lock" />}
          {(unread?.mentions ?? 0) > 0 && <span class="at">@</span>}
          <Count number={heard || (unread?.muted ?? 0)} />
        </a>
      </RowMenu>
      {isOpen && <Topics channelId={id} />}
    </>
  );
});

function Topics({ channelId }: { channelId: number }) {
  const isWhole = useSignal(false);
  const topics = useComputed(() => cache.value.topics.get(channelId)).value;
  const counts = useServer((snapshot) => unreadCounts(snapshot).byChannel.get(channelId), [channelId]);
  const openTopic = route.value.view === 'narrow' ? operandOf(route.value.narrow, 'topic') : undefined;
  const open = openTopic === undefined ? undefined : foldName(openTopic);
  useEffect(() => {
    if (!topics) loadTopics(channelId).catch(() => undefined);
  }, [channelId, topics]);
  const known = topics ?? [];
  const listed = new Set(known.map(({ name }) => foldName(name)));
  const unreadOnly = [...(counts?.topics ?? [])]
    .filter(([key]) => !listed.has(key))
    .map(([, { name }]) => name);
  const all = [...known.map(({ name }) => name), ...unreadOnly];
  const isShown = (name: string, index: number): boolean =>
    isWhole.value ||
    index < MOST_TOPICS ||
    foldName(name) === open ||
    (index < 2 * MOST_TOPICS && counts?.topics.has(foldName(name)) === true);
  const shown = all.filter(isShown);
  return (
    <div class="topics">
      {shown.map((name) => (
        <TopicRow
          key={foldName(name)}
          narrow={topicNarrow(channelId, name)}
          name={name}
          channelId={channelId}
          isOpen={open === foldName(name)}
        />
      ))}
      {all.length > shown.length && (
        <button
          type="button"
          class="row topic"
          onClick={() => {
            isWhole.value = true;
          }}
        >
          {t('shell.allCountTopics', { count: all.length })}
        </button>
      )}
    </div>
  );
}

function TopicRow({
  narrow,
  name,
  channelId,
  isOpen,
}: {
  narrow: Narrow;
  name: string;
  channelId: number;
  isOpen: boolean;
}) {
  const unread = useServer(
    (snapshot) => unreadCounts(snapshot).byChannel.get(channelId)?.topics.get(foldName(name)),
    [channelId, name],
  );
  const muted = isMuted(server.value, channelId, name);
  const isResolved = name.startsWith('✔ ');
  return (
    <RowMenu label={topicLabel(name)} open={(anchor) => openTopicMenu(anchor, channelId, name)}>
      <a
        class={`row topic${unread ? ' new' : ''}${muted ? ' muted' : ''}`}
        href={linkTo(narrow)}
        aria-current={isOpen ? 'page' : undefined}
      >
        {isResolved && <Icon name="check" />}
        <span class={name === '' ? 'row-name unnamed' : 'row-name'}>
          {topicLabel(isResolved ? name.slice(2) : name)}
        </span>
        <Count number={unread?.count ?? 0} isHot={unread?.isMentioned === true} />
      </a>
    </RowMenu>
  );
}
