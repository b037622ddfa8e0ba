import { type Signal, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Close } from './dialog-context.ts';
import { DialogFoot } from './form.tsx';

/** A dialog of the page. */
export interface Dialog {
  id: number;
  title: string;
  content: (close: Close) => ComponentChildren;
  isWide: boolean;
}

/** The open dialog. `dialog-host.tsx` shows it. */
export const dialog: Signal<Dialog | undefined> = signal();

let lastId = 0;
let leaveOpen: (() => void) | undefined;

/** Runs before another dialog takes the place of the open one. Returns what ends this. */
export function beforeReplaced(leave: () => void): () => void {
  leaveOpen = leave;
  return () => {
    if (leaveOpen === leave) leaveOpen = undefined;
  };
}

/** Shows something above the page that is to be finished or left before going on. */
export function openDialog(title: string, content: Dialog['content'], isWide = false): void {
  lastId += 1;
  showDialog({ id: lastId, title, content, isWide });
}

/** Opens a dialog; another one that is open is left first. */
export function showDialog(shown: Dialog): void {
  leaveOpen?.();
  dialog.value = shown;
}

/** Closes the dialog; before this returns, the focus is back at its former element. */
export const closeDialog = (): void => {
  document.querySelector<HTMLDialogElement>('dialog.dialog[open]')?.close();
  dialog.value = undefined;
};

export const isDialogOpen = (): boolean => dialog.value !== undefined;

/** Requires a confirmation before an irreversible action. */
export function confirm(title: string, text: string, label: string, run: () => void): void {
  openDialog(title, (close) => (
    <form
      method="dialog"
      onSubmit={() => {
        run();
        close();
      }}
    >
      <p>{text}</p>
      <DialogFoot cancel={close}>
        <button type="submit" class="button danger">
          {label}
        </button>
      </DialogFoot>
    </form>
  ));
}
