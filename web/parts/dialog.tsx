import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '#web/texts/texts.ts';
import { DialogFoot } from './form.tsx';
import { IconButton } from './icon.tsx';

interface Open {
  title: string;
  content: () => ComponentChildren;
  isWide: boolean;
}

const dialog = signal<Open | undefined>(undefined);

/** Shows something above the page that is to be finished or left before going on. */
export function openDialog(title: string, content: () => ComponentChildren, isWide = false): void {
  dialog.value = { title, content, isWide };
}

/** Closes the dialog; before this returns, the focus is back at its former element. */
export const closeDialog = (): void => {
  document.querySelector<HTMLDialogElement>('dialog.dialog')?.close();
  dialog.value = undefined;
};

export const isDialogOpen = (): boolean => dialog.value !== undefined;

/** The first control in the body, which is the purpose of the dialog. */
const FIRST = '.dialog-body :is([tabindex], input, textarea, select, button, a[href]):not(:disabled)';

/** The place of the dialog, rendered once in the page. */
export function DialogHost() {
  const element = useRef<HTMLDialogElement>(null);
  const open = dialog.value;
  useLayoutEffect(() => {
    const box = element.current;
    if (!open || !box) return;
    box.showModal();
    // The browser would choose the cross in the corner.
    if (!box.querySelector('[autofocus]'))
      box.querySelector<HTMLElement>(FIRST)?.focus({ preventScroll: true });
  }, [open]);
  if (!open) return null;
  return (
    <dialog
      ref={element}
      class={open.isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby="dialog-title"
      // `close` comes a task after the focus is back; a key pressed between the two would be lost.
      onCancel={closeDialog}
      onClose={(event) => {
        // It may come from a dialog before this one.
        if (event.currentTarget === element.current && !event.currentTarget.open) closeDialog();
      }}
      onClick={(event) => {
        if (event.target === element.current) closeDialog();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header class="dialog-head">
        <h2 id="dialog-title">{open.title}</h2>
        <IconButton icon="x" label={t('parts.close')} onClick={closeDialog} />
      </header>
      <div class="dialog-body">{open.content()}</div>
    </dialog>
  );
}

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
