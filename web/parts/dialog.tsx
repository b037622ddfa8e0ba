import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { DialogFoot } from './form.tsx';

/** A dialog of the page. */
export interface Dialog {
  id: number;
  title: string;
  content: () => ComponentChildren;
  isWide: boolean;
}

/** The open dialog. `dialog-host.tsx` shows it. */
export const dialog: Signal<Dialog | undefined> = signal();

let lastId = 0;

/** Shows something above the page that is to be finished or left before going on. */
export function openDialog(title: string, content: () => ComponentChildren, isWide = false): void {
  lastId += 1;
  dialog.value = { id: lastId, title, content, isWide };
}

/** Closes the dialog; before this returns, the focus is back at its former element. */
export const closeDialog = (): void => {
  document.querySelector<HTMLDialogElement>('dialog.dialog[open]')?.close();
  dialog.value = undefined;
};

export const isDialogOpen = (): boolean => dialog.value !== undefined;

/** Requires a confirmation before an irreversible action. */
export function confirm(title: string, text: string, label: string, run: () => void): void {
  openDialog(title, () => (
    <form
      method="dialog"
      onSubmit={() => {
        run();
        closeDialog();
      }}
    >
      <p>{text}</p>
      <DialogFoot cancel={closeDialog}>
        <button type="submit" class="button danger">
          {label}
        </button>
      </DialogFoot>
    </form>
  ));
}
