import { addFiles } from '#web/net/attachments.ts';
import type { Conversation } from '#web/state/narrow.ts';
import { readClipboard } from './clipboard.ts';
import { pasteOver, writeInto } from './text.ts';

/** Lets a person choose files for a message. */
export function chooseFiles(conversation: Conversation): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.onchange = () => addFiles(conversation, input.files ?? []);
  input.click();
}

type Paste = ClipboardEvent & { currentTarget: HTMLTextAreaElement };

type Add = (files: Iterable<File>) => void;

/** Adds pasted files, and pastes text into the field. */
export function pasteWith(add: Add, event: Paste): void {
  const pasted = readClipboard(event.clipboardData);
  if (pasted?.kind === 'files') {
    event.preventDefault();
    add(pasted.files);
  } else pasteText(event);
}

/** Pastes rich text as Markdown. An address that is pasted over words makes a link of them. */
function pasteText(event: Paste): void {
  const isLink = pasteOver(event.currentTarget, event.clipboardData?.getData('text/plain') ?? '');
  const pasted = isLink ? undefined : readClipboard(event.clipboardData);
  if (!isLink && pasted?.kind !== 'text') return;
  event.preventDefault();
  if (pasted?.kind === 'text') writeInto(event.currentTarget, pasted.text);
}

/** Adds dropped files. */
export function dropWith(add: Add, event: DragEvent): void {
  const files = event.dataTransfer?.files;
  if (!files || files.length === 0) return;
  event.preventDefault();
  add(files);
}
