import { memo } from 'preact/compat';
import { wordsOf } from '#web/net/notifying.ts';
import { mutedPeople, nameOfPerson, useServer } from '#web/net/store.ts';
import { Avatar } from '#web/parts/avatar.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { Rendered } from '#web/parts/rendered.tsx';
import { dayLabel, momentOf, timeOf } from '#web/parts/time.ts';
import type { Row } from '#web/state/feed/grouping.ts';
import { type Narrow, operandOf } from '#web/state/narrow.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { t } from '#web/texts/texts.ts';
import { openCard } from '#web/views/shell/person-card.tsx';
import { StatusSign } from '#web/views/shell/status-sign.tsx';
import { ConversationBar } from './conversation-bar.tsx';
import { EditBox, UnfinishedEdit } from './edit-box.tsx';
import { MessageBar } from './message-bar.tsx';
import { Reactions } from './reactions.tsx';
import { collapsed, editingId, reveal, revealed, selectedId, toggleCollapsed } from './selection.ts';
import { Widget } from './widget.tsx';

interface Props {
  row: Row;
  narrow: Narrow;
  isSelected: boolean;
  isLast: boolean;
}

/** One message, with the headings above it. Rendered again only if the row is another object. */
export const MessageRow = memo(
  ({ row, narrow, isSelected, isLast }: Props) => {
    const { message, day, conversation, isFirstUnread, unreadCount } = row;
    return (
      <article
        class={isLast ? 'feed-row last' : 'feed-row'}
        data-message-id={message.id}
        aria-labelledby={`by-${message.id}`}
        tabIndex={isSelected ? 0 : -1}
        onFocus={() => {
          selectedId.value = message.id;
        }}
      >
        {day && <div class="day">{dayLabel(message.timestamp)}</div>}
        {conversation && <ConversationBar conversation={conversation} message={message} />}
        {isFirstUnread && (
          <div class="day new-line">
            {unreadCount === undefined ? t('feed.new') : t('feed.newCount', { count: unreadCount })}
          </div>
        )}
        {isFolded(message) ? (
          <Folded message={message} isSelected={isSelected} />
        ) : (
          <Whole row={row} narrow={narrow} isSelected={isSelected} />
        )}
      </article>
    );
  },
  (a, b) =>
    a.narrow === b.narrow &&
    a.isSelected === b.isSelected &&
    a.isLast === b.isLast &&
    a.row.message === b.row.message &&
    a.row.day === b.row.day &&
    a.row.isFirstUnread === b.row.isFirstUnread &&
    a.row.unreadCount === b.row.unreadCount &&
    a.row.isFirstOfSender === b.row.isFirstOfSender &&
    (a.row.conversation === undefined) === (b.row.conversation === undefined),
);

const isFolded = ({ id, sender_id }: Message): boolean =>
  mutedPeople.value.has(sender_id) && !revealed.value.has(id);

/** A message of a muted person, until the viewer wants to see it. */
function Folded({ message, isSelected }: Pick<Props, 'isSelected'> & { message: Message }) {
  return (
    <div class={isSelected ? 'message folded selected' : 'message folded'}>
      <button type="button" class="collapsed" id={`by-${message.id}`} onClick={() => reveal(message.id)}>
        {t('feed.fromAPersonYouHave')} <span>{t('feed.show')}</span>
      </button>
    </div>
  );
}

function Whole({ row, narrow, isSelected }: Omit<Props, 'isLast'>) {
  const { message, isFirstOfSender } = row;
  const hasHead = isFirstOfSender && !message.is_me_message;
  return (
    <div class={classOf(message, isFirstOfSender, isSelected)}>
      {isFirstOfSender ? (
        <button
          type="button"
          class="sender-picture"
          tabIndex={-1}
          aria-hidden="true"
          onClick={(event) => openCard(event.currentTarget, message.sender_id)}
        >
          <Avatar userId={message.sender_id} />
        </button>
      ) : (
        <Time message={message} isQuiet />
      )}
      <div class="message-body">
        {hasHead ? (
          <Sender message={message} />
        ) : (
          <span class="hidden-visually" id={`by-${message.id}`}>
            {nameOfPerson(message.sender_id)}
          </span>
        )}
        <Content message={message} isFound={operandOf(narrow, 'search') !== undefined} />
        {!hasHead && message.last_edit_timestamp && <Marks message={message} />}
        <UnfinishedEdit message={message} />
        <Reactions message={message} />
      </div>
      <MessageBar message={message} narrow={narrow} />
    </div>
  );
}

function classOf({ flags }: Message, isFirst: boolean, isSelected: boolean): string {
  const isForViewer = flags.some((flag) => flag === 'mentioned' || flag.endsWith('wildcard_mentioned'));
  return [
    'message',
    isFirst && 'first',
    isForViewer && 'for-me',
    isSelected && 'selected',
    !flags.includes('read') && 'unread',
    flags.includes('hide_link_previews') && 'no-previews',
  ]
    .filter(Boolean)
    .join(' ');
}

function Time({ message, isQuiet = false }: { message: Message; isQuiet?: boolean }) {
  const is24Hours = useServer(({ user_settings }) => user_settings.twenty_four_hour_time);
  return (
    <time
      class={isQuiet ? 'sent quiet-time' : 'sent'}
      title={momentOf(message.timestamp, is24Hours)}
      dateTime={new Date(message.timestamp * 1000).toISOString()}
    >
      {timeOf(message.timestamp, is24Hours)}
    </time>
  );
}

function Sender({ message }: { message: Message }) {
  return (
    <div class="sender">
      <button
        type="button"
        class="sender-name"
        id={`by-${message.id}`}
        onClick={(event) => openCard(event.currentTarget, message.sender_id)}
      >
        {nameOfPerson(message.sender_id)}
      </button>
      <StatusSign userId={message.sender_id} />
      <Marks message={message} />
      <Time message={message} />
      {message.flags.includes('starred') && <Icon name="star" />}
    </div>
  );
}

const COLLAPSED_LETTERS = 80;

/** `isFound`: a search shows the message, with its words marked. */
function Content({ message, isFound }: { message: Message; isFound: boolean }) {
  if (editingId.value === message.id) return <EditBox message={message} />;
  if (collapsed.value.has(message.id))
    return (
      <button type="button" class="collapsed" onClick={() => toggleCollapsed(message.id)}>
        {wordsOf(message).slice(0, COLLAPSED_LETTERS)}… <span>{t('feed.show')}</span>
      </button>
    );
  if (message.submessages.length > 0) return <Widget message={message} />;
  const html = (isFound && message.match_content) || message.content;
  if (!message.is_me_message) return <Rendered html={html} />;
  return (
    <div class="me-message">
      <strong>{nameOfPerson(message.sender_id)}</strong>
      <Rendered html={html.replace(/^<p>\/me /, '<p>')} />
    </div>
  );
}

function Marks({ message }: { message: Message }) {
  const { last_edit_timestamp: edited, last_moved_timestamp: moved } = message;
  if (!edited && !moved) return null;
  return (
    <span class="edited" title={momentOf(edited ?? moved ?? 0)}>
      {t(edited ? 'feed.edited' : 'feed.moved')}
    </span>
  );
}
