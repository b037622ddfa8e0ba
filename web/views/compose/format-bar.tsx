import type { RefObject } from 'preact';
import { send } from '#web/net/sending.ts';
import { closeDialog, openDialog } from '#web/parts/dialog.tsx';
import { Form } from '#web/parts/form.tsx';
import { IconButton } from '#web/parts/icon.tsx';
import type { IconName } from '#web/parts/icon-drawings.ts';
import { prefixLines } from '#web/state/marks.ts';
import type { Conversation } from '#web/state/narrow.ts';
import { wrapSelection, writeInto } from './text.ts';

type Field = HTMLTextAreaElement;

/** Puts a mark before each selected line. */
function prefix(field: Field, mark: string | ((index: number) => string)): void {
  const made = prefixLines({ text: field.value, from: field.selectionStart, to: field.selectionEnd }, mark);
  writeInto(field, made.text, made.from, made.to);
  field.setSelectionRange(...made.selection);
}

/** Puts the selection into a block. */
const fence = (field: Field, name: string): void => wrapSelection(field, `\`\`\`${name}\n`, '\n```\n');

const TOOLS: readonly (readonly [icon: IconName, label: string, run: (field: Field) => void])[] = [
  ['bold', 'Bold', (field) => wrapSelection(field, '**')],
  ['italic', 'Italic', (field) => wrapSelection(field, '*')],
  ['link', 'Link', (field) => wrapSelection(field, '[', '](url)')],
  ['code', 'Code', (field) => wrapSelection(field, '`')],
  ['list', 'Bulleted list', (field) => prefix(field, '* ')],
  ['list-ordered', 'Numbered list', (field) => prefix(field, (index) => `${index + 1}. `)],
  ['quote', 'Quote', (field) => fence(field, 'quote')],
  ['eye-off', 'Spoiler', (field) => fence(field, 'spoiler ')],
  ['sigma', 'Math', (field) => wrapSelection(field, '$$')],
];

/** What forms a text: marks, lists, blocks, and messages that are more than text. */
export function FormatBar({
  field,
  conversation,
}: {
  field: RefObject<Field | null>;
  conversation: Conversation;
}) {
  return (
    <div class="format-bar" role="toolbar" aria-label="Formatting">
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
      <IconButton icon="vote" label="New poll" onClick={() => openPoll(conversation)} />
      <IconButton icon="list-todo" label="New to-do list" onClick={() => openTodo(conversation)} />
    </div>
  );
}

const lines = (text: FormDataEntryValue | null): string[] =>
  String(text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const openPoll = (conversation: Conversation): void =>
  openDialog('New poll', () => (
    <Form
      label="Create poll"
      cancel={closeDialog}
      submit={async (fields) => {
        const question = String(fields.get('question')).trim();
        send(conversation, [`/poll ${question}`, ...lines(fields.get('options'))].join('\n'));
        closeDialog();
      }}
    >
      <label class="field">
        Question
        <input class="input" name="question" required dir="auto" />
      </label>
      <label class="field">
        Options, one per line
        <textarea class="input" name="options" rows={4} dir="auto" />
      </label>
      <p class="quiet">Anyone can add options later.</p>
    </Form>
  ));

const openTodo = (conversation: Conversation): void =>
  openDialog('New to-do list', () => (
    <Form
      label="Create list"
      cancel={closeDialog}
      submit={async (fields) => {
        const title = String(fields.get('title')).trim();
        send(conversation, [`/todo ${title}`.trim(), ...lines(fields.get('tasks'))].join('\n'));
        closeDialog();
      }}
    >
      <label class="field">
        Title
        <input class="input" name="title" dir="auto" />
      </label>
      <label class="field">
        Tasks, one per line
        <textarea class="input" name="tasks" rows={4} dir="auto" />
      </label>
      <p class="quiet">Everyone can check tasks off.</p>
    </Form>
  ));
