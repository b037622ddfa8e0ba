import { signal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { holdBack } from '#web/net/layers.ts';
import { showNotice } from '#web/net/store.ts';
import { t } from '#web/texts/texts.ts';
import { closeDialog, type Dialog, dialog } from './dialog.tsx';
import { IconButton } from './icon.tsx';
import { LayerHost } from './layer-host.tsx';
import { watchPull } from './sheet.ts';

/** Dialogs that were closed with changed text. They stay in the page, hidden, while a notice offers to open them again. */
const left = signal<readonly Dialog[]>([]);

const REOPEN_MS = 15_000;

/** Closes a dialog; its changed text can be brought back for some seconds. */
function leave(one: Dialog, isChanged: boolean): void {
  if (isChanged) {
    left.value = [...left.value, one];
    const reopen = (): void => {
      dialog.value = one;
    };
    showNotice(
      t('parts.closedWithYourText', { title: one.title }),
      { label: t('parts.reopen'), run: reopen },
      {
        lastsMs: REOPEN_MS,
        end: () => {
          left.value = left.value.filter((other) => other !== one);
        },
      },
    );
  }
  closeDialog();
}

/** The open dialog, and closed ones with changed text. */
export function DialogHost() {
  const open = dialog.value;
  const all = !open || left.value.includes(open) ? left.value : [open, ...left.value];
  return all.map((one) => <DialogBox key={one.id} one={one} isOpen={one === open} />);
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

function DialogBox({ one, isOpen }: { one: Dialog; isOpen: boolean }) {
  const element = useRef<HTMLDialogElement>(null);
  const last = useRef<HTMLElement>(undefined);
  const pressed = useRef<EventTarget | null>(null);
  const title = useId();
  const texts = useTexts();
  const isChanged = (): boolean => texts.isChanged(element.current);
  const close = (): void => {
    const { activeElement } = document;
    last.current = activeElement instanceof HTMLElement ? activeElement : undefined;
    leave(one, isChanged());
  };
  useLayoutEffect(() => {
    const box = element.current;
    if (!box || !isOpen) return;
    box.showModal();
    // The browser would choose the cross in the corner.
    if (last.current) last.current.focus({ preventScroll: true });
    else if (!box.querySelector('[autofocus]'))
      box.querySelector<HTMLElement>(FIRST)?.focus({ preventScroll: true });
    const ends = [holdBack(close), watchPull(box, close)];
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
      class={one.isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={title}
      // `close` comes a task after the focus is back; a key pressed between the two would be lost.
      onCancel={(event) => {
        // A choice of files that was cancelled also says so.
        if (event.target === element.current) close();
      }}
      onClose={() => {
        // It may come from a dialog that was closed, and opened again.
        if (isOpen && element.current?.open === false && dialog.peek() === one) close();
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
        <h2 id={title}>{one.title}</h2>
        <IconButton icon="x" label={t('parts.close')} onClick={close} />
      </header>
      <div class="dialog-body">{one.content()}</div>
      {isOpen && <LayerHost />}
    </dialog>
  );
}

/** A short movement says that the dialog stays open. */
function nudge(box: Element): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  box.animate([{ scale: 1 }, { scale: 1.012 }, { scale: 1 }], { duration: 150 });
}
