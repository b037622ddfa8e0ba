import { server } from '#web/net/store.ts';
import { isModified } from '#web/parts/direction.ts';
import { rest } from '#web/parts/focus.ts';
import { findWritingKey, type WritingKeyId } from '#web/state/shortcuts.ts';
import { takeCompletion } from './completion-list.tsx';
import type { ComposeState } from './compose.tsx';
import { linkSelection, wrapSelection, writeInto } from './text.ts';

type Press = KeyboardEvent & { currentTarget: HTMLTextAreaElement };

/** Actions of the composer's keys in addition to the standard ones of a text field. */
export interface ComposeActions {
  submit: () => void;
  look: () => void;
  openSnippets: () => void;
}

type Format = 'bold' | 'italic' | 'link' | 'code';

const FORMATS: Record<Format, (field: HTMLTextAreaElement) => void> = {
  bold: (field) => wrapSelection(field, '**'),
  italic: (field) => wrapSelection(field, '*'),
  link: linkSelection,
  code: (field) => wrapSelection(field, '`'),
};

const ACTIONS: Record<Exclude<WritingKeyId, Format | 'send'>, (actions: ComposeActions) => void> = {
  snippets: ({ openSnippets }) => openSnippets(),
  preview: ({ look }) => look(),
  'leave-box': rest,
};

const isFormat = (id: WritingKeyId): id is Format => id in FORMATS;

/** Formats the selected text of a field, and continues its lists; returns whether the key was for that. */
export function onFormatKey(event: Press): boolean {
  if (event.key === 'Enter' && !isModified(event)) return continueList(event);
  const id = findWritingKey(event);
  if (!id || !isFormat(id)) return false;
  event.preventDefault();
  event.stopPropagation();
  FORMATS[id](event.currentTarget);
  return true;
}

/** Handles a key in the composer: completions first, then lists, then sending. */
export function onComposeKey(event: Press, state: ComposeState, actions: ComposeActions): void {
  if (state.completions.value && onCompletionKey(event, state)) return;
  if (event.key === 'Enter') {
    onEnter(event, event.ctrlKey || event.metaKey, actions.submit);
    return;
  }
  const id = onFormatKey(event) ? undefined : findWritingKey(event);
  if (!id || id === 'send' || isFormat(id)) return;
  event.preventDefault();
  event.stopPropagation();
  ACTIONS[id](actions);
}

/** There the keyboard of the screen has a key for new lines alone, and the button sends. */
export const isOnTelephone = (): boolean => matchMedia('(pointer: coarse) and (max-width: 720px)').matches;

function onEnter(event: Press, isCommand: boolean, submit: () => void): void {
  const sends =
    server.value.user_settings.enter_sends && !isOnTelephone()
      ? !event.shiftKey && !isCommand && !event.altKey
      : isCommand || event.altKey;
  if (sends) {
    event.preventDefault();
    submit();
    return;
  }
  if (event.shiftKey || isCommand) return;
  continueList(event);
}

/** A new line of a list begins with the mark of the last one; an empty item ends the list. */
function continueList(event: Press): boolean {
  const field = event.currentTarget;
  const { selectionStart: at, value } = field;
  const start = value.lastIndexOf('\n', at - 1) + 1;
  const item = /^(\s*)([-*]|(\d+)[.)])\s(.*)$/.exec(value.slice(start, at));
  if (!item) return false;
  event.preventDefault();
  if (item[4] === '') {
    writeInto(field, '', start, at);
    return true;
  }
  const mark = item[3] === undefined ? item[2] : `${Number(item[3]) + 1}.`;
  writeInto(field, `\n${item[1]}${mark} `);
  return true;
}

/** Gives whether the key was for the completions. */
function onCompletionKey(event: Press, state: ComposeState): boolean {
  // With these keys a field selects text, or starts a line.
  if (isModified(event)) return false;
  const list = state.completions.value?.list ?? [];
  const { chosen } = state;
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
    chosen.value = (chosen.value + (event.key === 'ArrowDown' ? 1 : -1) + list.length) % list.length;
  else if (event.key === 'Escape') {
    event.stopPropagation();
    state.completions.value = undefined;
  } else if (event.key === 'Enter' || event.key === 'Tab') {
    const completion = list[chosen.value];
    if (completion) takeCompletion(event.currentTarget, state, completion);
  } else return false;
  event.preventDefault();
  return true;
}
