import { useComputed } from '@preact/signals';
import { memo } from 'preact/compat';
import { useEffect, useRef } from 'preact/hooks';
import { extendRun, openRun } from '#web/net/pages.ts';
import { clock } from '#web/net/presence.ts';
import { linkTo } from '#web/net/router.ts';
import { cache, channels, nameOfPerson, ownChannels, server, topicLabel, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { Empty } from '#web/parts/empty.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { agoOf } from '#web/parts/time.ts';
import { foldName } from '#web/state/names.ts';
import {
  type Conversation,
  conversationOfMessage,
  keyOfNarrow,
  type Narrow,
  narrowOf,
} from '#web/state/narrow.ts';
import { unreadCounts } from '#web/state/sidebar.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { LoadingFeed } from '#web/views/feed/feed-states.tsx';
import { Head } from '#web/views/shell/head.tsx';

const NARROW: Narrow = [{ operator: 'in', operand: 'home' }];

interface Talk {
  key: string;
  conversation: Conversation;
  newest: Message;
  senders: number[];
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
  return (
    <main class="main">
      <Head title="Recent conversations" />
      {!run && <LoadingFeed />}
      {run && (
        <div class="page">
          {talks.length === 0 && (
            <Empty
              icon="messages-square"
              title="No conversations yet"
              text="Open a channel at the left and begin one."
            />
          )}
          <ul class="talks">
            {talks.map((talk) => (
              <TalkLine key={talk.key} talk={talk} unread={unreadOf(talk.conversation, counts)} />
            ))}
          </ul>
          {!run.hasOldest && (
            <button type="button" class="button more" onClick={() => void extendRun(NARROW, 'older')}>
              Show older ones
            </button>
          )}
        </div>
      )}
    </main>
  );
}

function unreadOf(conversation: Conversation, counts: ReturnType<typeof unreadCounts>): number {
  if (conversation.type === 'private')
    return counts.byPeople.get([...conversation.userIds].sort((a, b) => a - b).join(',')) ?? 0;
  const { channelId, topic } = conversation;
  return counts.byChannel.get(channelId)?.topics.get(foldName(topic))?.count ?? 0;
}

const MOST_FACES = 4;

function talksOf(messages: Message[]): Talk[] {
  const talks = new Map<string, Talk>();
  for (const message of messages.toReversed()) {
    const conversation = conversationOfMessage(message, server.value.user_id);
    const key = keyOfNarrow(narrowOf(conversation));
    const talk = talks.get(key) ?? { key, conversation, newest: message, senders: [] };
    if (!talk.senders.includes(message.sender_id) && talk.senders.length < MOST_FACES)
      talk.senders.push(message.sender_id);
    talks.set(key, talk);
  }
  return [...talks.values()];
}

/** The conversations of the messages; one that did not change stays the same object. */
function useTalks(messages: Message[]): Talk[] {
  const known = useRef(new Map<string, Talk>());
  const talks = talksOf(messages).map((talk) => {
    const before = known.current.get(talk.key);
    return before?.newest === talk.newest && String(before.senders) === String(talk.senders) ? before : talk;
  });
  known.current = new Map(talks.map((talk) => [talk.key, talk]));
  return talks;
}

const TalkLine = memo(({ talk, unread }: { talk: Talk; unread: number }) => {
  const { conversation, newest, senders } = talk;
  const isChannel = conversation.type === 'stream';
  return (
    <li class={unread > 0 ? 'talk new' : 'talk'}>
      <a href={linkTo(narrowOf(conversation))}>
        {isChannel ? (
          <span class="swatch" style={{ '--c': ownChannels.value.get(conversation.channelId)?.color }} />
        ) : (
          <Icon name="mail" />
        )}
        <span class="talk-name">
          {isChannel && <span class="crumb">{channels.value.get(conversation.channelId)?.name} › </span>}
          {isChannel ? topicLabel(conversation.topic) : conversation.userIds.map(nameOfPerson).join(', ')}
        </span>
        {unread > 0 && (
          <span class={isChannel ? 'count' : 'count hot'}>
            {unread}
            <span class="hidden-visually"> unread</span>
          </span>
        )}
        <span class="faces" aria-hidden="true">
          {senders.map((id) => (
            <Avatar key={id} userId={id} size={20} />
          ))}
        </span>
        <span class="quiet talk-time">{agoOf(newest.timestamp, clock.value)}</span>
      </a>
    </li>
  );
});
