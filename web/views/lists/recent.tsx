import { useSignal } from '@preact/signals';
import { memo } from 'preact/compat';
import { useRef } from 'preact/hooks';
import {
  conversationLoad,
  conversations,
  loadOlderConversations,
  openConversations,
  useOpenConversations,
} from '#web/net/conversations.ts';
import { wordsOf } from '#web/net/notifying.ts';
import { linkTo } from '#web/net/router.ts';
import { cache, channels, nameOfPerson, ownChannels, server, topicLabel, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { useCalm } from '#web/parts/calm.ts';
import { Empty } from '#web/parts/empty.tsx';
import { whenOf } from '#web/parts/time.ts';
import { conversationsOf, type RecentKind, type RecentLine, recentLines } from '#web/state/conversations.ts';
import { holds } from '#web/state/match.ts';
import { type Conversation, narrowOf } from '#web/state/narrow.ts';
import { unreadCounts } from '#web/state/sidebar.ts';
import { POLICY, policyOf } from '#web/state/topics.ts';
import { t } from '#web/texts/texts.ts';
import { whereTo } from '#web/views/compose/where-to.ts';
import { FailedFeed, LoadingFeed } from '#web/views/feed/feed-states.tsx';
import { Head } from '#web/views/shell/head.tsx';
import { onArrow, RowTools, Sender, UnreadCount } from './conversation-row.tsx';
import { Filters } from './filters.tsx';

const KINDS: readonly (readonly [RecentKind, string])[] = [
  ['all', t('lists.all')],
  ['unread', t('lists.unread')],
  ['own', t('lists.iTookPart')],
  ['direct', t('lists.direct')],
];

/** The table is long, and each event may change it. */
const CALM_MS = 250;
/** On a busy day conversations come by themselves; more are shown on demand. */
const FIRST_LINES = 60;
const MORE_LINES = 50;

const readAll = () => ({
  fetched: conversations.value,
  loaded: cache.value.byId,
  snapshot: server.value,
});

/** A table of conversations, the ones with the newest messages first. */
export function Recent() {
  useOpenConversations();
  const { fetched, loaded, snapshot } = useCalm(readAll, CALM_MS);
  const isFetched = fetched.nextBefore !== undefined;
  const { isLoading, failure } = conversationLoad.value;
  const text = useSignal('');
  const kind = useSignal<RecentKind>('all');
  const withMuted = useSignal(false);
  const sort = useSignal<'active' | 'unread'>('active');
  const list = isFetched ? fetched : conversationsOf(loaded.values(), snapshot.user_id);
  const lines = useSameLines(
    recentLines(list, snapshot, unreadCounts(snapshot), {
      kind: kind.value,
      withMuted: withMuted.value,
      sort: sort.value,
      hasWords: (conversation) => text.value.trim() === '' || holds(whereTo(conversation), text.value),
    }),
  );
  const isEmpty = list.byKey.size === 0;
  const most = useSignal(FIRST_LINES);
  const hasOlder = typeof fetched.nextBefore === 'number';
  const showMore = (): void => {
    most.value += MORE_LINES;
    if (hasOlder && most.value > lines.length) void loadOlderConversations();
  };
  return (
    <main class="main">
      <Head title={t('common.recentConversations')} />
      {isEmpty && !isFetched && (failure ? <FailedFeed failure={failure} retry={retry} /> : <LoadingFeed />)}
      {!(isEmpty && !isFetched) && (
        // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between its links
        <div class="page" onKeyDown={onArrow}>
          <Filters kinds={KINDS} kind={kind} text={text}>
            <button
              type="button"
              class="filter-chip"
              aria-pressed={withMuted.value}
              onClick={() => {
                withMuted.value = !withMuted.value;
              }}
            >
              {t('lists.includeMuted')}
            </button>
          </Filters>
          {isEmpty && (
            <Empty
              icon="messages-square"
              title={t('lists.noConversationsYet')}
              text={t('lists.pickAChannelOnThe')}
            />
          )}
          {lines.length > 0 && <Table lines={lines.slice(0, most.value)} sort={sort} />}
          {!isEmpty && lines.length === 0 && <p class="quiet">{t('lists.noneOfThese')}</p>}
          {(hasOlder || lines.length > most.value) && (
            <button type="button" class="button more" disabled={isLoading} onClick={showMore}>
              {t('lists.showOlderConversations')}
            </button>
          )}
          {failure && (
            <p class="quiet" role="alert">
              {failure}
            </p>
          )}
        </div>
      )}
    </main>
  );
}

const retry = (): void => void openConversations();

/** Lines that did not change stay the same objects, so that their rows are not rendered again. */
function useSameLines(lines: RecentLine[]): RecentLine[] {
  const known = useRef(new Map<string, RecentLine>());
  const same = lines.map((line) => {
    const before = known.current.get(line.key);
    const isSame =
      before?.newest === line.newest &&
      before.participants === line.participants &&
      before.count === line.count &&
      before.isMentioned === line.isMentioned;
    return isSame ? before : line;
  });
  known.current = new Map(same.map((line) => [line.key, line]));
  return same;
}

function Table({ lines, sort }: { lines: RecentLine[]; sort: { value: 'active' | 'unread' } }) {
  const sorter = (value: 'active' | 'unread', label: string) => (
    <th scope="col" class={`of-${value}`} aria-sort={sort.value === value ? 'descending' : 'none'}>
      <button
        type="button"
        onClick={() => {
          sort.value = value;
        }}
      >
        {label}
        {sort.value === value && <span aria-hidden="true"> ↓</span>}
      </button>
    </th>
  );
  return (
    <table class="recent" aria-label={t('common.recentConversations')}>
      <thead>
        <tr>
          <th scope="col">{t('lists.conversation')}</th>
          <th scope="col" class="of-people">
            {t('common.people')}
          </th>
          <th scope="col" class="of-words">
            {t('lists.lastMessage')}
          </th>
          {sorter('unread', t('lists.unread'))}
          {sorter('active', t('lists.active'))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Line key={line.key} line={line} />
        ))}
      </tbody>
    </table>
  );
}

const Line = memo(({ line }: { line: RecentLine }) => {
  const { conversation, newest, participants, count, isMentioned } = line;
  const is24Hours = useServer(({ user_settings }) => user_settings.twenty_four_hour_time);
  const isFollowed = useServer(
    (snapshot) =>
      conversation.type === 'stream' &&
      policyOf(snapshot, conversation.channelId, conversation.topic) === POLICY.followed,
    [conversation],
  );
  const isAlone =
    conversation.type === 'private' &&
    conversation.userIds.length === 1 &&
    conversation.userIds[0] === newest.sender_id;
  const row = { conversation, name: nameOf(conversation), count, isMentioned, isFollowed };
  return (
    <tr class={count > 0 ? 'recent-line new' : 'recent-line'}>
      <td>
        <a class="inbox-link" href={linkTo(narrowOf(conversation))}>
          <Place conversation={conversation} />
          <bdi class="inbox-name">{row.name}</bdi>
        </a>
      </td>
      <td class="of-people">
        <span class="faces">
          {participants.map((userId) => (
            <span key={userId} title={nameOfPerson(userId)}>
              <Avatar userId={userId} size={20} />
            </span>
          ))}
        </span>
      </td>
      <td class="of-words" dir="auto">
        {!isAlone && <Sender userId={newest.sender_id} />}
        {wordsOf(newest)}
      </td>
      <td class="of-unread">
        {count > 0 && (
          <>
            <span aria-hidden="true">
              <UnreadCount line={row} />
            </span>
            <span class="hidden-visually">{t('lists.countUnread', { count })}</span>
          </>
        )}
        <RowTools line={row} />
      </td>
      <td class="of-active">
        <time>{whenOf(newest.timestamp, is24Hours)}</time>
      </td>
    </tr>
  );
});

/** The channel with its color, or the picture of the person. */
function Place({ conversation }: { conversation: Conversation }) {
  if (conversation.type === 'private') return <Avatar userId={conversation.userIds[0] ?? 0} size={20} />;
  const { channelId } = conversation;
  return (
    <>
      <span class="swatch" style={{ '--c': ownChannels.value.get(channelId)?.color }} />
      <bdi class="crumb">{channels.value.get(channelId)?.name} ›</bdi>{' '}
    </>
  );
}

const nameOf = (conversation: Conversation): string =>
  conversation.type === 'stream'
    ? topicLabel(conversation.topic)
    : conversation.userIds.map(nameOfPerson).join(t('common.comma'));
