import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Virtualizer } from 'virtua';
import { call } from '#web/net/api.ts';
import { conversationLoad, loadOlderConversations, useConversations } from '#web/net/conversations.ts';
import { keep, readKept } from '#web/net/device.ts';
import { useMessages } from '#web/net/last-messages.ts';
import { attempt } from '#web/net/message-actions.ts';
import { markNarrow } from '#web/net/reading.ts';
import { nameOfPerson, server, topicLabel, useServer } from '#web/net/store.ts';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { keyOfConversation } from '#web/state/conversations.ts';
import { type InboxGroup, type InboxKind, type InboxLine, inboxGroups } from '#web/state/inbox.ts';
import { channelNarrow, narrowOf } from '#web/state/narrow.ts';
import { t } from '#web/texts/texts.ts';
import { Head } from '#web/views/shell/head.tsx';
import { ConversationRow, onArrow } from './conversation-row.tsx';
import { Filters } from './filters.tsx';
import { NothingUnread } from './nothing-unread.tsx';

const KINDS: readonly (readonly [InboxKind, string])[] = [
  ['all', t('lists.all')],
  ['mentions', t('common.mentions')],
  ['direct', t('lists.direct')],
  ['following', t('lists.following')],
];

const NAMES = {
  people: (ids: readonly number[]) => ids.map(nameOfPerson).join(t('common.comma')),
  topic: topicLabel,
};

/** As many of the newest conversations are fetched for their participants. */
const MOST_CONVERSATIONS = 200;

const foldedName = (): string => `inbox folded ${server.value.user_id}`;

function readFolded(): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(readKept(foldedName()) ?? '[]'));
  } catch {
    return new Set();
  }
}

type Item = { kind: 'group'; group: InboxGroup } | { kind: 'line'; line: InboxLine };

/** Conversations with unread messages: who or what, the last words, when, and how many. */
export function Inbox() {
  const page = useRef<HTMLDivElement>(null);
  const unread = useServer((snapshot) => snapshot.unread_msgs);
  const subscriptions = useServer((snapshot) => snapshot.subscriptions);
  const topics = useServer((snapshot) => snapshot.user_topics);
  const kind = useSignal<InboxKind>('all');
  const text = useSignal('');
  const folded = useSignal(readFolded());
  const ownId = useServer(({ user_id }) => user_id);
  const groups = useMemo(
    () => inboxGroups(server.peek(), { kind: kind.value, text: text.value }, NAMES),
    [unread, subscriptions, topics, kind.value, text.value],
  );
  // Muted channels are folded until the viewer opens them.
  const isFolded = ({ key, isMuted }: InboxGroup): boolean => folded.value.has(key) !== isMuted;
  const items = groups.flatMap((group): Item[] => [
    { kind: 'group', group },
    ...(isFolded(group) ? [] : group.lines.map((line): Item => ({ kind: 'line', line }))),
  ]);
  const { byKey, nextBefore } = useConversations(groups.length > 0);
  const isSettled = nextBefore !== undefined || conversationLoad.value.failure !== undefined;
  const recentOf = ({ conversation }: InboxLine) => byKey.get(keyOfConversation(conversation));
  const missing = items.flatMap((item) =>
    item.kind === 'line' && !recentOf(item.line) ? [item.line.newestId] : [],
  );
  const messageOf = useMessages(isSettled ? missing : []);
  const needsOlder = missing.length > 0 && typeof nextBefore === 'number' && byKey.size < MOST_CONVERSATIONS;
  useEffect(() => {
    if (needsOlder) void loadOlderConversations();
  }, [needsOlder, nextBefore]);
  const fold = (key: string): void => {
    const next = new Set(folded.value);
    if (!next.delete(key)) next.add(key);
    folded.value = next;
    keep(foldedName(), JSON.stringify([...next]));
  };
  const isAll = kind.value === 'all' && text.value.trim() === '';
  return (
    <main class="main">
      <Head title={t('common.inbox')}>
        {groups.length > 0 && (
          <button type="button" class="button quiet-button" onClick={() => void markAll()}>
            <Icon name="check-check" />
            <span>{t('lists.markAllAsRead')}</span>
          </button>
        )}
      </Head>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows move between its links */}
      <div class="page" ref={page} onKeyDown={onArrow}>
        {!(isAll && items.length === 0) && <Filters kinds={KINDS} kind={kind} text={text} />}
        {items.length === 0 ? (
          isAll ? (
            <NothingUnread isNew={subscriptions.length === 0} />
          ) : (
            <p class="quiet">{t('lists.nothingUnreadHere')}</p>
          )
        ) : (
          <Virtualizer scrollRef={page} data={items} bufferSize={600}>
            {(item: Item) =>
              item.kind === 'group' ? (
                <GroupHead
                  key={item.group.key}
                  group={item.group}
                  isFolded={isFolded(item.group)}
                  fold={() => fold(item.group.key)}
                />
              ) : (
                <ConversationRow
                  key={item.line.key}
                  line={item.line}
                  newest={recentOf(item.line)?.newest ?? messageOf(item.line.newestId)}
                  participants={recentOf(item.line)?.participants.filter((id) => id !== ownId)}
                />
              )
            }
          </Virtualizer>
        )}
      </div>
    </main>
  );
}

const markAll = (): Promise<boolean> =>
  attempt(t('lists.couldntMarkAsRead'), async () => {
    for (let isOver = false; !isOver; ) {
      const { complete } = await call<{ complete: boolean }>('POST', '/mark_all_as_read');
      isOver = complete;
    }
  });

function GroupHead({
  group: { title, color, channelId, count, isMuted, lines },
  isFolded,
  fold,
}: {
  group: InboxGroup;
  isFolded: boolean;
  fold: () => void;
}) {
  const read = async (): Promise<void> => {
    if (channelId !== undefined) await markNarrow(channelNarrow(channelId), 'add', 'oldest');
    else for (const { conversation } of lines) await markNarrow(narrowOf(conversation), 'add', 'oldest');
  };
  return (
    <div class="inbox-head">
      <h2>
        <button type="button" class="inbox-fold" aria-expanded={!isFolded} onClick={fold}>
          <Icon name={isFolded ? 'chevron-right' : 'chevron-down'} />
          {channelId === undefined ? (
            <Icon name="message-square" />
          ) : (
            <span class="swatch" style={{ '--c': color }} />
          )}
          <span dir="auto">{title}</span>
          <span class="quiet">{count}</span>
          {isMuted && <span class="quiet">{t('lists.muted')}</span>}
        </button>
      </h2>
      <IconButton icon="check" label={t('lists.markTitleAsRead', { title })} onClick={() => void read()} />
    </div>
  );
}
