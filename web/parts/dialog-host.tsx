import { signal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { holdBack } from '#web/net/layers.ts';
import { dismiss, showNotice } from '#web/net/store.ts';
import { t } from '#web/texts/texts.ts';
import { beforeReplaced, closeDialog, type Dialog, dialog, showDialog } from './dialog.tsx';
import { DialogContext, type DialogControl } from './dialog-context.ts';
import { IconButton } from './icon.tsx';
import { LayerHost } from './layer-host.tsx';
import { watchPull } from './sheet.ts';

/**
 * Dialogs that were left with changed text, or while their form is being sent. They stay in the page, hidden, until their form
 * was sent, or as long as a notice offers to open them again.
 */
const left = signal<readonly Dialog[]>([]);
/** The ids of these notices. */
const offers = new Map<Dialog, number>();

const REOPEN_MS = 15_000;

const forget = (gone: Dialog): void => {
  left.value = left.value.filter((other) => other !== gone);
};

function offer(shown: Dialog, text: string): void {
  const end = (): void => {
    offers.delete(shown);
    forget(shown);
  };
  const reopen = { label: t('parts.reopen'), run: () => showDialog(shown) };
  offers.set(shown, showNotice(text, reopen, { lastsMs: REOPEN_MS, end }));
}

/** Closes a dialog; its changed text can be brought back for some seconds. */
function leave(shown: Dialog, isChanged: boolean, isBusy: boolean): void {
  if (isChanged || isBusy) left.value = [...left.value, shown];
  if (isChanged && !isBusy) offer(shown, t('parts.closedWithYourText', { title: shown.title }));
  closeDialog();
}

/** The ways of the contents of a dialog to end it. */
const controlOf = (shown: Dialog): DialogControl => ({
  close: () => {
    const notice = offers.get(shown);
    if (dialog.peek() === shown) closeDialog();
    else if (notice === undefined) forget(shown);
    else dismiss(notice);
  },
  endSending: (failure) => {
    if (!left.peek().includes(shown) || offers.has(shown)) return;
    if (failure === undefined) forget(shown);
    else offer(shown, t('parts.titleFailure', { title: shown.title, failure }));
  },
});

/** The open dialog, and dialogs that were left. */
export function DialogHost() {
  const open = dialog.value;
  const all = !open || left.value.includes(open) ? left.value : [open, ...left.value];
  return all.map((shown) => <DialogBox key={shown.id} shown={shown} isOpen={shown === open} />);
}

/** The first control in the body, which is the purpose of the dialog. */
const FIRST = '.dialog-body :is([tabindex], input, textarea, select, button, a[href]):not(:disabled)';

/** Fields whose text a person would miss; a text that is searched for is typed again. */
const TEXT = 'textarea, input:not([type=search], [type=checkbox], [type=radio], [type=file], [data-passing])';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Remembers the texts of fields when they get the focus; `isChanged` compares. */
function useTexts() {
  const texts = useRef(new Map<Field, string>()).current;
  return {
    note: ({ target }: FocusEvent): void => {
      if (target instanceof Element && target.matches(TEXT) && !texts.has(target as Field))
        texts.set(target as Field, (target as Field).value);
    },
    isChanged: (box: Element | null): boolean =>
      [...texts].some(([field, text]) => field.isConnected && field.value !== text) ||
      box?.querySelector('[data-changed]') != null,
  };
}

function DialogBox({ shown, isOpen }: { shown: Dialog; isOpen: boolean }) {
  const element = useRef<HTMLDialogElement>(null);
  const last = useRef<HTMLElement>(undefined);
  const pressed = useRef<EventTarget | null>(null);
  const title = useId();
  const texts = useTexts();
  const control = useMemo(() => controlOf(shown), [shown]);
  const isChanged = (): boolean => texts.isChanged(element.current);
  const isBusy = (): boolean => element.current?.querySelector('form[aria-busy=true]') != null;
  const close = (): void => {
    const { activeElement } = document;
    last.current = activeElement instanceof HTMLElement ? activeElement : undefined;
    leave(shown, isChanged(), isBusy());
  };
  useLayoutEffect(() => {
    const box = element.current;
    if (!box || !isOpen) return;
    box.showModal();
    // The browser would choose the cross in the corner.
    if (last.current) last.current.focus({ preventScroll: true });
    else if (!box.querySelector('[autofocus]'))
      box.querySelector<HTMLElement>(FIRST)?.focus({ preventScroll: true });
    const ends = [holdBack(close), watchPull(box, close), beforeReplaced(close)];
    return () => {
      for (const end of ends) end();
      box.close();
    };
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return;
    // The browser itself warns before the page is left with a text that is not sent.
    const warn = (event: Event): void => {
      if (isChanged()) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isOpen]);
  return (
    <dialog
      ref={element}
      class={shown.isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={title}
      // `close` comes a task after the focus is back; a key pressed between the two would be lost.
      onCancel={(event) => {
        // A choice of files that was cancelled also says so.
        if (event.target === element.current) close();
      }}
      onClose={() => {
        // It may come from a dialog that was closed, and opened again.
        if (isOpen && element.current?.open === false && dialog.peek() === shown) close();
      }}
      onPointerDown={(event) => {
        pressed.current = event.target;
      }}
      onClick={({ target, currentTarget }) => {
        // A selection of text that ends outside is no click there.
        if (target !== currentTarget || pressed.current !== target) return;
        if (isChanged()) nudge(currentTarget);
        else close();
      }}
      onFocusIn={texts.note}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div class="grip" aria-hidden="true" />
      <header class="dialog-head">
        <h2 id={title}>{shown.title}</h2>
        <IconButton icon="x" label={t('parts.close')} onClick={close} />
      </header>
      <div class="dialog-body">
        <DialogContext.Provider value={control}>{shown.content(control.close)}</DialogContext.Provider>
      </div>
      {isOpen && <LayerHost />}
    </dialog>
  );
}

/** A short movement says that the dialog stays open. */
function nudge(box: Element): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  box.animate([{ scale: 1 }, { scale: 1.012 }, { scale: 1 }], { duration: 150 });
}
