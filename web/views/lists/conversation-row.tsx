import { setTopicPolicy } from '#web/net/message-actions.ts';
import { wordsOf } from '#web/net/notifying.ts';
import { markNarrow } from '#web/net/reading.ts';
import { linkTo } from '#web/net/router.ts';
import { nameOfPerson, people, server, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { IconButton } from '#web/parts/icon.tsx';
import { whenOf } from '#web/parts/time.ts';
import { type Conversation, narrowOf } from '#web/state/narrow.ts';
import { POLICY } from '#web/state/topics.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { listOf, t } from '#web/texts/texts.ts';

/** Moves between rows as in a list. */
export function onArrow(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('.inbox-fold, .inbox-link')];
  const box = (document.activeElement as HTMLElement | null)?.closest(
    '.inbox-head, .inbox-line, .recent-line',
  );
  const index = all.findIndex((element) => box?.contains(element));
  const next = all[index + (event.key === 'ArrowDown' ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}

/** The data of a conversation in a list. */
export interface ConversationLine {
  conversation: Conversation;
  name: string;
  count: number;
  isMentioned: boolean;
  isFollowed: boolean;
}

/** A conversation as a row of two lines: who or what, the last words, when, and how much is unread. */
export function ConversationRow({
  line,
  newest,
  participants = [],
}: {
  line: ConversationLine;
  newest: Message | undefined;
  /** Other people who wrote last in the topic. */
  participants?: readonly number[] | undefined;
}) {
  const { conversation, name, count } = line;
  const is24Hours = useServer(({ user_settings }) => user_settings.twenty_four_hour_time);
  const isDirect = conversation.type === 'private';
  const sender = newest && !(isDirect && conversation.userIds.length === 1) ? newest.sender_id : undefined;
  return (
    <div class={count > 0 ? 'inbox-line new' : 'inbox-line'}>
      <Avatar userId={newest?.sender_id ?? (isDirect ? (conversation.userIds[0] ?? 0) : 0)} />
      <a class="inbox-link" href={linkTo(narrowOf(conversation))}>
        <span class="inbox-name">
          <bdi>{name}</bdi>
          {!isDirect && participants.length > 0 && (
            <span class="inbox-people">
              <bdi>{listOf(participants.map(firstNameOf))}</bdi>
            </span>
          )}
        </span>
        <span class="inbox-words" dir="auto">
          {sender !== undefined && <Sender userId={sender} />}
          {newest ? wordsOf(newest) : '\u00a0'}
        </span>
        {count > 0 && <span class="hidden-visually">{t('lists.countUnread', { count })}</span>}
      </a>
      <RowTools line={line} />
      <span class="inbox-end" aria-hidden="true">
        <time class="quiet">{newest ? whenOf(newest.timestamp, is24Hours) : ''}</time>
        {count > 0 && <UnreadCount line={line} />}
      </span>
    </div>
  );
}

/** People by their first name, bots by the whole one, the viewer as "You". */
function firstNameOf(userId: number): string {
  if (userId === server.value.user_id) return t('actions.you');
  const name = nameOfPerson(userId);
  return people.value.get(userId)?.is_bot ? name : (name.split(' ')[0] ?? name);
}

/** The author of the last words. */
export const Sender = ({ userId }: { userId: number }) => (
  <>
    <b>
      <bdi>{firstNameOf(userId)}</bdi>:
    </b>{' '}
  </>
);

/** Follows a topic, and marks a conversation as read. */
export function RowTools({ line: { conversation, name, count, isFollowed } }: { line: ConversationLine }) {
  return (
    <span class="inbox-tools">
      {conversation.type === 'stream' && (
        <IconButton
          icon="bell"
          label={isFollowed ? t('lists.unfollowName', { name }) : t('lists.followName', { name })}
          isPressed={isFollowed}
          onClick={() =>
            void setTopicPolicy(
              conversation.channelId,
              conversation.topic,
              isFollowed ? POLICY.inherit : POLICY.followed,
            )
          }
        />
      )}
      {count > 0 && (
        <IconButton
          icon="check"
          label={t('lists.markNameAsRead', { name })}
          onClick={() => void markNarrow(narrowOf(conversation), 'add', 'oldest')}
        />
      )}
    </span>
  );
}

/** The number of unread messages, with @ if one mentions the viewer. */
export function UnreadCount({ line: { conversation, count, isMentioned } }: { line: ConversationLine }) {
  return (
    <span class={isMentioned ? 'count hot' : 'count'}>
      {isMentioned && conversation.type === 'stream' ? '@ ' : ''}
      {count}
    </span>
  );
}
