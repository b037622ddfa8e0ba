import { useState } from 'preact/hooks';
import { call, explain } from '#web/net/api.ts';
import { nameOfPerson, server, showNotice } from '#web/net/store.ts';
import { IconButton } from '#web/parts/icon.tsx';
import { Rendered } from '#web/parts/rendered.tsx';
import { readWidget } from '#web/state/feed/widgets.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { t } from '#web/texts/texts.ts';

async function submit(message: Message, content: Record<string, unknown>): Promise<void> {
  try {
    await call('POST', '/submessage', {
      message_id: message.id,
      msg_type: 'widget',
      content: JSON.stringify(content),
    });
  } catch (failure) {
    showNotice(explain(failure));
  }
}

/** A poll or a list of tasks, as its messages made it. */
export function Widget({ message }: { message: Message }) {
  const widget = readWidget(message.submessages, message.sender_id);
  const ownId = server.value.user_id;
  if (!widget) return <Rendered html={message.content} />;
  if (widget.type === 'todo')
    return (
      <div class="widget">
        <Heading
          text={widget.title || t('feed.tasks')}
          label={t('feed.titleOfTheTasks')}
          isOwn={message.sender_id === ownId}
          save={(title) => submit(message, { type: 'new_task_list_title', title })}
        />
        {widget.tasks.map(({ key, task, desc, isDone }) => (
          <label key={key} class="widget-line">
            <input
              type="checkbox"
              checked={isDone}
              onChange={() => void submit(message, { type: 'strike', key })}
            />
            <span class={isDone ? 'done' : ''}>
              <bdi>{task}</bdi> {desc && <small dir="auto">{desc}</small>}
            </span>
          </label>
        ))}
        <AddLine
          label={t('feed.newTask')}
          detail={t('feed.description')}
          add={(task, desc) =>
            submit(message, {
              type: 'new_task',
              key: widget.nextKey(ownId),
              task,
              desc,
              completed: false,
            })
          }
        />
      </div>
    );
  return (
    <div class="widget">
      <Heading
        text={widget.question || t('feed.poll')}
        label={t('feed.question')}
        isOwn={message.sender_id === ownId}
        save={(question) => submit(message, { type: 'question', question })}
      />
      {widget.options.map(({ key, option, voters }) => {
        const isOwn = voters.includes(ownId);
        return (
          <button
            type="button"
            key={key}
            class="widget-line"
            aria-pressed={isOwn}
            onClick={() => void submit(message, { type: 'vote', key, vote: isOwn ? -1 : 1 })}
          >
            <span class="votes">{voters.length}</span>
            <span>
              <bdi>{option}</bdi>{' '}
              {voters.length > 0 && <small>{voters.map(nameOfPerson).join(t('common.comma'))}</small>}
            </span>
          </button>
        );
      })}
      <AddLine
        label={t('feed.newOption')}
        add={(option) => submit(message, { type: 'new_option', idx: widget.nextIndex(ownId), option })}
      />
    </div>
  );
}

/** The question of a widget; its author may change it. */
function Heading({
  text,
  label,
  isOwn,
  save,
}: {
  text: string;
  label: string;
  isOwn: boolean;
  save: (text: string) => Promise<void>;
}) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen)
    return (
      <div class="widget-head">
        <strong dir="auto">{text}</strong>
        {isOwn && (
          <IconButton icon="pencil" label={t('feed.changeLabel', { label })} onClick={() => setOpen(true)} />
        )}
      </div>
    );
  return (
    <form
      class="widget-add"
      onSubmit={(event) => {
        event.preventDefault();
        const next = String(new FormData(event.currentTarget).get('text')).trim();
        setOpen(false);
        if (next !== '' && next !== text) void save(next);
      }}
    >
      <input class="input" dir="auto" name="text" aria-label={label} defaultValue={text} />
      <button type="submit" class="button">
        {t('common.save')}
      </button>
    </form>
  );
}

function AddLine({
  label,
  detail,
  add,
}: {
  label: string;
  detail?: string;
  add: (text: string, detail: string) => Promise<void>;
}) {
  return (
    <form
      class="widget-add"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const fields = new FormData(form);
        const text = String(fields.get('text')).trim();
        if (text !== '') void add(text, String(fields.get('detail') ?? '').trim()).then(() => form.reset());
      }}
    >
      <input class="input" dir="auto" name="text" aria-label={label} placeholder={label} />
      {detail && <input class="input" dir="auto" name="detail" aria-label={detail} placeholder={detail} />}
      <button type="submit" class="button">
        {t('common.add')}
      </button>
    </form>
  );
}
