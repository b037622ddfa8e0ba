import { signal } from '@preact/signals';

/** Text that something else than typing put into the composer, as a quote; the open composer takes it. */
export const incoming = signal<string | undefined>(undefined);

/** Puts a text into the composer that is open, or opens next, and goes there. */
export const putText = (text: string): void => {
  incoming.value = text;
};

/**
 * Writes into a text field as typing would, so that undoing works. The selection is replaced, or the given range.
 */
export function writeInto(field: HTMLTextAreaElement, text: string, from?: number, to?: number): void {
  field.focus();
  if (from !== undefined) field.setSelectionRange(from, to ?? from);
  // The only way to write that the browser's undo knows; where it is gone the text is set plainly.
  if (!document.execCommand('insertText', false, text)) {
    field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

/** Puts marks around the selection, as `**`. */
export function wrapSelection(field: HTMLTextAreaElement, before: string, after = before): void {
  const { selectionStart: start, selectionEnd: end, value } = field;
  writeInto(field, `${before}${value.slice(start, end)}${after}`);
  field.setSelectionRange(start + before.length, end + before.length);
}
