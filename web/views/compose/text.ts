import { linkOfPaste, type Replacement, type Selected, toggleLink, toggleMarks } from '#web/state/marks.ts';

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

const selectedIn = ({
  selectionStart: from,
  selectionEnd: to,
  value: text,
}: HTMLTextAreaElement): Selected => ({
  text,
  from,
  to,
});

export function replaceIn(field: HTMLTextAreaElement, made: Replacement): void {
  writeInto(field, made.text, made.from, made.to);
  field.setSelectionRange(...made.selection);
}

/** Puts marks around the selected words, as `**`, or takes them away. */
export const wrapSelection = (field: HTMLTextAreaElement, before: string, after = before): void =>
  replaceIn(field, toggleMarks(selectedIn(field), before, after));

export const linkSelection = (field: HTMLTextAreaElement): void =>
  replaceIn(field, toggleLink(selectedIn(field)));

/** Makes a link of the selected words if an address is pasted over them; returns whether it did. */
export function pasteOver(field: HTMLTextAreaElement, pasted: string): boolean {
  const made = linkOfPaste(selectedIn(field), pasted);
  if (made) replaceIn(field, made);
  return made !== undefined;
}
