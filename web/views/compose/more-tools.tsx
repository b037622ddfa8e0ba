import type { Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { server } from '#web/net/store.ts';
import { openMenu } from '#web/parts/layer.tsx';
import { callProviderOf } from '#web/state/calls.ts';
import { gifProviderOf } from '#web/state/gifs.ts';
import type { Conversation } from '#web/state/narrow.ts';
import { t } from '#web/texts/texts.ts';
import { callItems } from './call-button.tsx';
import { openPoll, openTodo, type Send } from './format-bar.tsx';
import { openGifs } from './gif-button.tsx';
import { chooseTime } from './insert-time.tsx';
import { writeInto } from './text.ts';
import { chooseFiles } from './uploads.ts';

interface Writer {
  conversation: Conversation;
  field: RefObject<HTMLTextAreaElement | null>;
  text: Signal<string>;
  later: () => void;
  sendOther: Send;
  actions: { look: () => void; openSnippets: () => void };
}

/** The tools for which a narrow message box has no room, as a menu. */
export function openTools(
  anchor: Element,
  { conversation, field, text, later, sendOther, actions }: Writer,
): void {
  const gifs = gifProviderOf(server.value);
  const insert = (words: string): void => {
    if (field.current) writeInto(field.current, words);
  };
  const hasText = text.value.trim() !== '';
  openMenu(anchor, t('compose.addToMessage'), [
    { icon: 'paperclip', label: t('compose.attachFiles'), run: () => chooseFiles(conversation) },
    { icon: 'vote', label: t('compose.newPoll'), run: () => openPoll(sendOther) },
    { icon: 'list-todo', label: t('compose.newToDoList'), run: () => openTodo(sendOther) },
    { icon: 'clock', label: t('compose.insertATime'), run: () => chooseTime(insert) },
    gifs !== undefined && {
      icon: 'image-play',
      label: t('compose.insertAGif'),
      run: () => openGifs(anchor, field, gifs),
    },
    ...(callProviderOf(server.value) ? callItems(conversation) : []),
    { icon: 'text-quote', label: t('compose.snippets'), run: actions.openSnippets },
    hasText && { icon: 'eye', label: t('compose.preview'), run: actions.look },
    hasText && { icon: 'calendar-clock', label: t('compose.scheduleMessage'), run: later },
  ]);
}
