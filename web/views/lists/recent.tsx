import { useComputed, useSignal } from '@preact/signals';
import { memo } from 'preact/compat';
import { useEffect, useRef } from 'preact/hooks';
import { extendRun, openRun } from '#web/net/pages.ts';
import { cache, channels, nameOfPerson, ownChannels, server, topicLabel, useServer } from '#web/net/store.ts';
import { Empty } from '#web/parts/empty.tsx';
import { holds } from '#web/state/match.ts';
import { foldName } from '#web/state/names.ts';
import {
  type Conversation,
  conversationOfMessage,
  keyOfNarrow,
  type Narrow,
  narrowOf,
} from '#web/state/narrow.ts';
import { unreadCounts } from '#web/state/sidebar.ts';
import { POLICY, policyOf } from '#web/state/topics.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { t } from '#web/texts/texts.ts';
import { whereTo } from '#web/views/compose/where-to.ts';
import { LoadingFeed } from '#web/views/feed/feed-states.tsx';
import { Head } from '#web/views/shell/head.tsx';
import { ConversationRow, onArrow } from './conversation-row.tsx';
import { Filters } from './filters.tsx';

const NARROW: Narrow = [{ operator: 'in', operand: 'home' }];

type RecentKind = 'all' | 'unread' | 'own' | 'direct';

const KINDS: readonly (readonly [RecentKind, string])[] = [
  ['all', t('lists.all')],
  ['unread', t('lists.unread')],
  ['own', t('lists.iTookPart')],
  ['direct', t('lists.direct')],
];

interface Talk {
  key: string;
  conversation: Conversation;
  newest: Message;
  senders: ReadonlySet<number>;
}

/** Conversations by their newest message. */
export function Recent() {
  const run = useComputed(() => cache.value.runs.get(keyOfNarrow(NARROW))).value;
  const byId = useComputed(() => cache.value.byId).value;
  const counts = useServer(unreadCounts);
  const isMissing = run === undefined;
  useEffect(() => {
    if (isMissing) void openRun(NARROW, 'newest');
  }, [isMissing]);
  const messages = run?.ids.map((id) => byId.get(id)).filter((one) => one !== undefined) ?? [];
  const talks = useTalks(messages);
  const text = useSignal('');
  const kind = useSignal<RecentKind>('all');
  const ownId = useServer(({ user_id }) => user_id);
  const isShown = (talk: Talk): boolean =>
    (text.value.trim() === '' || holds(whereTo(talk.conversation), text.value)) &&
    (kind.value !== 'unread' || unreadOf(talk.conversation, counts) > 0) &&
    (kind.value !== 'own' || talk.senders.has(ownId)) &&
    (kind.value !== 'direct' || talk.conversation.type === 'private');
  const shown = talks.filter(isShown);
  return (
    <main class="main">
      <Head title={t('common.recentConversations')} />
      {!run && <LoadingFeed />}
      {run && (
        // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between its links
        <div class="page" onKeyDown={onArrow}>
          <Filters kinds={KINDS} kind={kind} text={text} />
          {talks.length === 0 && (
            <Empty
              icon="messages-square"
              title={t('lists.noConversationsYet')}
              text={t('lists.pickAChannelOnThe')}
            />
          )}
          <ul class="talks">
            {shown.map((talk) => (
              <TalkLine
                key={talk.key}
                talk={talk}
                unread={unreadOf(talk.conversation, counts)}
                isMentioned={isMentionedIn(talk.conversation, counts)}
              />
            ))}
          </ul>
          {talks.length > 0 && shown.length === 0 && <p class="quiet">{t('lists.noneOfThese')}</p>}
          {!run.hasOldest && (
            <button type="button" class="button more" onClick={() => void extendRun(NARROW, 'older')}>
              {t('lists.showOlderConversations')}
            </button>
          )}
        </div>
      )}
    </main>
  );
}

function isMentionedIn(conversation: Conversation, counts: ReturnType<typeof unreadCounts>): boolean {
  if (conversation.type === 'private') return true;
  const { channelId, topic } = conversation;
  return counts.byChannel.get(channelId)?.topics.get(foldName(topic))?.isMentioned === true;
}

function unreadOf(conversation: Conversation, counts: ReturnType<typeof unreadCounts>): number {
  if (conversation.type === 'private')
    return counts.byPeople.get([...conversation.userIds].sort((a, b) => a - b).join(',')) ?? 0;
  const { channelId, topic } = conversation;
  return counts.byChannel.get(channelId)?.topics.get(foldName(topic))?.count ?? 0;
}

function talksOf(messages: Message[]): Talk[] {
  const talks = new Map<string, Talk>();
  for (const message of messages.toReversed()) {
    const conversation = conversationOfMessage(message, server.value.user_id);
    const key = keyOfNarrow(narrowOf(conversation));
    const talk = talks.get(key);
    const senders = new Set(talk?.senders).add(message.sender_id);
    talks.set(key, { key, conversation, newest: talk?.newest ?? message, senders });
  }
  return [...talks.values()];
}

/** The conversations of the messages; one that did not change stays the same object. */
function useTalks(messages: Message[]): Talk[] {
  const known = useRef(new Map<string, Talk>());
  const talks = talksOf(messages).map((talk) => {
    const before = known.current.get(talk.key);
    return before?.newest === talk.newest && before.senders.size === talk.senders.size ? before : talk;
  });
  known.current = new Map(talks.map((talk) => [talk.key, talk]));
  return talks;
}

const TalkLine = memo(
  ({ talk, unread, isMentioned }: { talk: Talk; unread: number; isMentioned: boolean }) => {
    const { conversation, newest } = talk;
    const isChannel = conversation.type === 'stream';
    const isFollowed = useServer(
      (snapshot) =>
        isChannel && policyOf(snapshot, conversation.channelId, conversation.topic) === POLICY.followed,
      [talk],
    );
    const channel = isChannel
      ? {
          name: channels.value.get(conversation.channelId)?.name ?? '',
          color: ownChannels.value.get(conversation.channelId)?.color,
        }
      : undefined;
    const line = { conversation, name: nameOfTalk(talk), count: unread, isMentioned, isFollowed };
    return (
      <li>
        <ConversationRow line={line} newest={newest} channel={channel} />
      </li>
    );
  },
);

const nameOfTalk = ({ conversation }: Talk): string =>
  conversation.type === 'stream'
    ? topicLabel(conversation.topic)
    : conversation.userIds.map(nameOfPerson).join(t('common.comma'));
