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

/** Pastes files into the tray, and rich text as Markdown. */
export function pasteInto(
  conversation: Conversation,
  event: ClipboardEvent & { currentTarget: HTMLTextAreaElement },
): void {
  if (pasteOver(event.currentTarget, event.clipboardData?.getData('text/plain') ?? '')) {
    event.preventDefault();
    return;
  }
  const pasted = readClipboard(event.clipboardData);
  if (!pasted) return;
  event.preventDefault();
  if (pasted.kind === 'files') addFiles(conversation, pasted.files);
  else writeInto(event.currentTarget, pasted.text);
}

/** Adds dropped files to the tray. */
export function dropInto(conversation: Conversation, event: DragEvent): void {
  const files = event.dataTransfer?.files;
  if (!files || files.length === 0) return;
  event.preventDefault();
  addFiles(conversation, files);
}
