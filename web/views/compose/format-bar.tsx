import type { RefObject } from 'preact';
import { openDialog } from '#web/parts/dialog.tsx';
import { Form } from '#web/parts/form.tsx';
import { IconButton } from '#web/parts/icon.tsx';
import type { IconName } from '#web/parts/icon-drawings.ts';
import { prefixLines } from '#web/state/marks.ts';
import { t } from '#web/texts/texts.ts';
import { linkSelection, replaceIn, wrapSelection } from './text.ts';

type Field = HTMLTextAreaElement;
/** Sends a message; returns whether it was sent. */
export type Send = (content: string) => boolean;

/** Puts a mark before each selected line. */
function prefix(field: Field, mark: string | ((index: number) => string)): void {
  const { value: text, selectionStart: from, selectionEnd: to } = field;
  replaceIn(field, prefixLines({ text, from, to }, mark));
}

/** Puts the selection into a block. */
const fence = (field: Field, name: string): void => wrapSelection(field, `\`\`\`${name}\n`, '\n```\n');

const TOOLS: readonly (readonly [icon: IconName, label: string, run: (field: Field) => void])[] = [
  ['bold', t('compose.bold'), (field) => wrapSelection(field, '**')],
  ['italic', t('compose.italic'), (field) => wrapSelection(field, '*')],
  ['link', t('compose.link'), linkSelection],
  ['code', t('compose.code'), (field) => wrapSelection(field, '`')],
  ['list', t('compose.bulletedList'), (field) => prefix(field, '* ')],
  ['list-ordered', t('compose.numberedList'), (field) => prefix(field, (index) => `${index + 1}. `)],
  ['quote', t('compose.quote'), (field) => fence(field, 'quote')],
  ['eye-off', t('compose.spoiler'), (field) => fence(field, 'spoiler ')],
  ['sigma', t('compose.math'), (field) => wrapSelection(field, '$$')],
];

/** What forms a text: marks, lists, blocks, and messages that are more than text. */
export function FormatBar({ field, send }: { field: RefObject<Field | null>; send: Send }) {
  return (
    <div class="format-bar" role="toolbar" aria-label={t('compose.formatting')}>
      {TOOLS.map(([icon, label, run]) => (
        <IconButton
          key={label}
          icon={icon}
          label={label}
          onClick={() => {
            if (field.current) run(field.current);
          }}
        />
      ))}
      <IconButton icon="vote" label={t('compose.newPoll')} onClick={() => openPoll(send)} />
      <IconButton icon="list-todo" label={t('compose.newToDoList')} onClick={() => openTodo(send)} />
    </div>
  );
}

const lines = (text: FormDataEntryValue | null): string[] =>
  String(text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

export const openPoll = (send: Send): void =>
  openDialog(t('compose.newPoll'), (close) => (
    <Form
      label={t('compose.createPoll')}
      cancel={close}
      submit={async (fields) => {
        const question = String(fields.get('question')).trim();
        if (send([`/poll ${question}`, ...lines(fields.get('options'))].join('\n'))) close();
      }}
    >
      <label class="field">
        {t('compose.question')}
        <input class="input" name="question" required dir="auto" />
      </label>
      <label class="field">
        {t('compose.optionsOnePerLine')}
        <textarea class="input" name="options" rows={4} dir="auto" />
      </label>
      <p class="quiet">{t('compose.anyoneCanAddOptionsLater')}</p>
    </Form>
  ));

export const openTodo = (send: Send): void =>
  openDialog(t('compose.newToDoList'), (close) => (
    <Form
      label={t('compose.createList')}
      cancel={close}
      submit={async (fields) => {
        const title = String(fields.get('title')).trim();
        if (send([`/todo ${title}`.trim(), ...lines(fields.get('tasks'))].join('\n'))) close();
      }}
    >
      <label class="field">
        {t('compose.title')}
        <input class="input" name="title" dir="auto" />
      </label>
      <label class="field">
        {t('compose.tasksOnePerLine')}
        <textarea class="input" name="tasks" rows={4} dir="auto" />
      </label>
      <p class="quiet">{t('compose.everyoneCanCheckTasksOff')}</p>
    </Form>
  ));
