import type { ComponentChildren } from 'preact';
import { call, explain } from '#web/net/api.ts';
import { localDrafts, localDraftsChange, removeDraft } from '#web/net/drafts.ts';
import { findMessage } from '#web/net/pages.ts';
import { linkTo, openNarrow } from '#web/net/router.ts';
import { ownChannels, server, showNotice, useServer } from '#web/net/store.ts';
import { confirm } from '#web/parts/dialog.tsx';
import { Empty } from '#web/parts/empty.tsx';
import { IconButton } from '#web/parts/icon.tsx';
import type { IconName } from '#web/parts/icon-drawings.ts';
import { Rendered } from '#web/parts/rendered.tsx';
import { momentOf } from '#web/parts/time.ts';
import { conversationOfDraft, listDrafts } from '#web/state/feed/drafts.ts';
import { type Conversation, conversationOfMessage, narrowOf } from '#web/state/narrow.ts';
import type { Scheduled } from '#web/state/wire.ts';
import { t } from '#web/texts/texts.ts';
import { whereTo } from '#web/views/compose/where-to.ts';
import { Head } from '#web/views/shell/head.tsx';
import { openScheduled } from './scheduled-form.tsx';

const conversationOf = ({ type, to, topic = '' }: Scheduled): Conversation | undefined =>
  conversationOfDraft({ type, to: typeof to === 'number' ? [to] : to, topic });

function List({
  title,
  icon,
  none,
  empty,
  count,
  children,
}: {
  title: string;
  icon: IconName;
  none: string;
  empty: string;
  count: number;
  children: ComponentChildren;
}) {
  return (
    <main class="main">
      <Head title={title} />
      <div class="page">
        {count === 0 && <Empty icon={icon} title={none} text={empty} />}
        <ul class="cards">{children}</ul>
      </div>
    </main>
  );
}

const remove = (question: string, run: () => Promise<unknown>): void =>
  confirm(question, t('lists.itCannotBeBroughtBack'), t('common.delete'), () => {
    run().catch((failure) => showNotice(explain(failure)));
  });

/** The destination of a message. */
function Place({ conversation }: { conversation: Conversation | undefined }) {
  if (!conversation) return null;
  const color =
    conversation.type === 'stream' ? ownChannels.value.get(conversation.channelId)?.color : undefined;
  return (
    <a class="card-place" href={linkTo(narrowOf(conversation))}>
      {conversation.type === 'stream' && <span class="swatch" style={{ '--c': color }} />}
      {whereTo(conversation)}
    </a>
  );
}

export function Drafts() {
  const kept = useServer((snapshot) => snapshot.drafts);
  const drafts = localDraftsChange.value ? listDrafts(kept, localDrafts()) : [];
  return (
    <List
      title={t('lists.drafts')}
      icon="pencil-line"
      count={drafts.length}
      none={t('lists.noDrafts')}
      empty={t('lists.whatYouBeginToWrite')}
    >
      {drafts.map(({ key, id, conversation, content, timestamp }) => (
        <li key={key} class="card-line">
          <div>
            <Place conversation={conversation} />
            <p class="draft-text">{content}</p>
            <span class="quiet">{momentOf(timestamp)}</span>
          </div>
          <IconButton
            icon="trash"
            label={t('lists.deleteTheDraft')}
            onClick={() => remove(t('lists.deleteTheDraftQuestion'), () => removeDraft(conversation, id))}
          />
        </li>
      ))}
    </List>
  );
}

export function ScheduledMessages() {
  const scheduled = useServer((snapshot) => snapshot.scheduled_messages);
  return (
    <List
      title={t('lists.scheduled')}
      icon="calendar-clock"
      count={scheduled.length}
      none={t('lists.nothingScheduled')}
      empty={t('lists.writeAMessageAndChoose')}
    >
      {scheduled.map((message) => {
        const conversation = conversationOf(message);
        return (
          <li key={message.scheduled_message_id} class="card-line">
            <div>
              <Place conversation={conversation} />
              <Rendered html={message.rendered_content} />
              <span class={message.failed ? 'failure' : 'quiet'}>
                {message.failed ? t('lists.notSent') : momentOf(message.scheduled_delivery_timestamp)}
              </span>
            </div>
            <IconButton icon="pencil" label={t('lists.edit')} onClick={() => openScheduled(message)} />
            <IconButton
              icon="trash"
              label={t('lists.doNotSend')}
              onClick={() =>
                remove(t('lists.deleteTheScheduledMessage'), () =>
                  call('DELETE', `/scheduled_messages/${message.scheduled_message_id}`),
                )
              }
            />
          </li>
        );
      })}
    </List>
  );
}

async function openTarget(messageId: number): Promise<void> {
  const message = await findMessage(messageId);
  if (!message) showNotice(t('lists.theMessageIsGone'));
  else openNarrow(narrowOf(conversationOfMessage(message, server.value.user_id)), messageId);
}

export function Reminders() {
  const reminders = useServer((snapshot) => snapshot.reminders);
  return (
    <List
      title={t('lists.reminders')}
      icon="bell"
      count={reminders.length}
      none={t('lists.noReminders')}
      empty={t('lists.chooseRemindMeInThe')}
    >
      {reminders.map((reminder) => (
        <li key={reminder.reminder_id} class="card-line">
          <div>
            <span class="quiet">{momentOf(reminder.scheduled_delivery_timestamp)}</span>
            <Rendered html={reminder.rendered_content} />
            <button
              type="button"
              class="button"
              onClick={() => void openTarget(reminder.reminder_target_message_id)}
            >
              {t('lists.openTheMessage')}
            </button>
          </div>
          <IconButton
            icon="trash"
            label={t('lists.deleteTheReminder')}
            onClick={() =>
              remove(t('lists.deleteTheReminderQuestion'), () =>
                call('DELETE', `/reminders/${reminder.reminder_id}`),
              )
            }
          />
        </li>
      ))}
    </List>
  );
}
