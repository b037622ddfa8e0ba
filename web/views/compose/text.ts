import { toggleMarks } from '#web/state/marks.ts';

/**
 * Writes into a text field as typing would, so that undoing works. The selection is replaced, or the given range.
 */
export function writeInto(field: HTMLTextAreaElement, text: string, from?: number, to?: number): void {
  field.focus();
  if (from !== undefined) field.setSelectionRange(from, to ?? from);
  // The only way to write that supports the browser's undo; if it is missing, the text is set directly.
  if (!document.execCommand('insertText', false, text)) {
    field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

/** Puts marks around the selected words, as `**`, or takes them away. */
export function wrapSelection(field: HTMLTextAreaElement, before: string, after = before): void {
  const { selectionStart: from, selectionEnd: to, value: text } = field;
  const made = toggleMarks({ text, from, to }, before, after);
  writeInto(field, made.text, made.from, made.to);
  field.setSelectionRange(...made.selection);
}
