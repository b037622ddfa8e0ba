import { useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { call, explain } from '#web/net/api.ts';
import { remindOf, reportMessage, sourceOf } from '#web/net/message-actions.ts';
import { nameOfPerson, server, showNotice, topicLabel } from '#web/net/store.ts';
import { openDialog } from '#web/parts/dialog.tsx';
import { useClose } from '#web/parts/dialog-context.ts';
import { Failure, Form } from '#web/parts/form.tsx';
import { Rendered } from '#web/parts/rendered.tsx';
import { momentOf } from '#web/parts/time.ts';
import { TimeChoice } from '#web/parts/time-choice.tsx';
import type { Message } from '#web/state/wire-messages.ts';
import { rich, t } from '#web/texts/texts.ts';

export const openReminder = (message: Message): void =>
  openDialog(t('feed.remindMeOfThisMessage'), () => <ReminderForm message={message} />);

function ReminderForm({ message }: { message: Message }) {
  const close = useClose();
  const [note, setNote] = useState('');
  return (
    <div class="stack">
      <label class="field">
        {t('feed.noteForYourself')}
        <input class="input" value={note} onInput={(event) => setNote(event.currentTarget.value)} />
      </label>
      <TimeChoice
        label={t('feed.setReminder')}
        choose={async (atSeconds) => {
          if (!(await remindOf(message.id, atSeconds, note.trim()))) return;
          close();
          showNotice(t('feed.youWillBeRemindedTime', { time: momentOf(atSeconds) }));
        }}
      />
    </div>
  );
}

export const openReaders = (message: Message): void =>
  openDialog(t('feed.whoHasReadIt'), () => <Readers message={message} />);

function Readers({ message }: { message: Message }) {
  const [ids, setIds] = useState<number[]>();
  const failure = useSignal('');
  useEffect(() => {
    call<{ user_ids: number[] }>('GET', `/messages/${message.id}/read_receipts`).then(
      ({ user_ids }) => setIds(user_ids),
      (reason) => {
        failure.value = explain(reason);
      },
    );
  }, [message.id, failure]);
  if (failure.value !== '') return <Failure text={failure.value} />;
  if (!ids) return <p role="status">{t('feed.asking')}</p>;
  if (ids.length === 0) return <p>{t('feed.noOneElseHasRead')}</p>;
  return (
    <ul class="plain-list">
      {ids.map((id) => (
        <li key={id}>{nameOfPerson(id)}</li>
      ))}
    </ul>
  );
}

interface Version {
  timestamp: number;
  user_id: number | null;
  rendered_content?: string;
  content_html_diff?: string;
  prev_topic?: string;
  topic?: string;
}

export const openHistory = (message: Message): void =>
  openDialog(t('feed.historyOfTheMessage'), () => <History message={message} />, true);

function History({ message }: { message: Message }) {
  const [versions, setVersions] = useState<Version[]>();
  const failure = useSignal('');
  useEffect(() => {
    call<{ message_history: Version[] }>('GET', `/messages/${message.id}/history`, {
      allow_empty_topic_name: true,
    }).then(
      ({ message_history }) => setVersions(message_history),
      (reason) => {
        failure.value = explain(reason);
      },
    );
  }, [message.id, failure]);
  if (failure.value !== '') return <Failure text={failure.value} />;
  if (!versions) return <p role="status">{t('feed.asking')}</p>;
  return (
    <div class="stack">
      {versions.map((version, index) => (
        <section key={`${version.timestamp} ${index}`} class="version">
          <p class="quiet">
            {t(index === 0 ? 'feed.writtenBy' : 'feed.changedBy', {
              name: nameOfPerson(version.user_id ?? 0),
              time: momentOf(version.timestamp),
            })}
          </p>
          {version.prev_topic !== undefined && (
            <p>
              {rich('feed.topicChanged', {
                before: topicLabel(version.prev_topic),
                after: topicLabel(version.topic ?? ''),
                del: (topic) => <del>{topic}</del>,
              })}
            </p>
          )}
          <Rendered html={version.content_html_diff ?? version.rendered_content ?? ''} />
        </section>
      ))}
    </div>
  );
}

export const openReport = (message: Message): void =>
  openDialog(t('feed.reportTheMessage'), () => <ReportForm message={message} />);

function ReportForm({ message }: { message: Message }) {
  const close = useClose();
  const types = server.value.server_report_message_types ?? [];
  return (
    <Form
      label={t('feed.report')}
      cancel={close}
      submit={async (fields) => {
        await reportMessage(message.id, String(fields.get('type')), String(fields.get('text')));
        close();
        showNotice(t('feed.theReportIsWithThe'));
      }}
    >
      <p>{t('feed.theModeratorsOfTheOrganization')}</p>
      <label class="field">
        {t('feed.reason')}
        <select class="input" name="type">
          {types.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {t('feed.whatTheModeratorsShouldKnow')}
        <textarea class="input" name="text" rows={3} />
      </label>
    </Form>
  );
}

/** The Markdown of a message, for reading and copying. */
export const openSource = (message: Message): void =>
  openDialog(t('feed.textOfTheMessage'), () => <Source messageId={message.id} />, true);

function Source({ messageId }: { messageId: number }) {
  const [text, setText] = useState<string>();
  const [failure, setFailure] = useState('');
  useEffect(() => {
    sourceOf(messageId).then(setText, (reason) => setFailure(explain(reason)));
  }, [messageId]);
  if (failure !== '') return <Failure text={failure} />;
  if (text === undefined) return <p role="status">{t('feed.asking')}</p>;
  return (
    <textarea
      class="input"
      aria-label={t('feed.textOfTheMessage')}
      readOnly
      rows={Math.min(16, text.split('\n').length + 1)}
      value={text}
    />
  );
}
