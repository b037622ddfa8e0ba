import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { editsChange, keepEdit, readEdit } from '#web/net/edits.ts';
import { showNotice } from '#web/net/store.ts';
import { Refused, upload } from '#web/net/uploads.ts';
import { IconButton } from '#web/parts/icon.tsx';
import { joinFiles } from '#web/state/attachments.ts';
import type { Edit } from '#web/state/feed/edits.ts';
import { t } from '#web/texts/texts.ts';

/** An upload of an edit. */
interface Running {
  file: File;
  /** The uploaded part, from 0 to 1. */
  part: number;
  abort: AbortController;
}

/**
 * Uploads files for an edited message, and writes their links below its text. If the edit is left meanwhile, they are written into
 * the text that the device keeps.
 */
export function useEditFiles(messageId: number, edit: Edit | undefined, change: (edit: Edit) => void) {
  const running = useSignal<readonly Running[]>([]);
  const box = useRef({ edit, change, isOpen: true });
  box.current = { edit, change, isOpen: true };
  useEffect(
    () => () => {
      box.current.isOpen = false;
    },
    [],
  );
  const finish = (text: (before: string) => string, begun: Edit): void => {
    const { edit: shown, change: show, isOpen } = box.current;
    const now = (isOpen ? shown : readEdit(messageId)) ?? begun;
    const next = { ...now, text: text(now.text) };
    box.current.edit = next;
    if (isOpen) show(next);
    else keepEdit(messageId, next);
    // The box may be about to close.
    editsChange.value = Symbol();
  };
  const run = async (item: Running, begun: Edit): Promise<void> => {
    const note = (part: number): void => {
      running.value = running.value.map((other) => (other.abort === item.abort ? { ...other, part } : other));
    };
    try {
      const { name, url } = await upload(
        item.file,
        { onProgress: note, onPause: () => undefined },
        item.abort.signal,
      );
      const isPicture = item.file.type.startsWith('image/');
      finish((text) => joinFiles(text.trimEnd(), [{ name, url, isPicture }]), begun);
    } catch (failure) {
      if (failure instanceof Refused) showNotice(failure.message);
    }
    running.value = running.value.filter(({ abort }) => abort !== item.abort);
  };
  return {
    running,
    add: (files: Iterable<File>): void => {
      if (!edit) return;
      for (const file of files) {
        const item = { file, part: 0, abort: new AbortController() };
        running.value = [...running.value, item];
        void run(item, edit);
      }
    },
    cancelAll: (): void => {
      for (const { abort } of running.value) abort.abort();
    },
  };
}

/** The uploads of an edit. */
export function EditUploads({ running }: { running: readonly Running[] }) {
  return running.map(({ file: { name }, part, abort }, index) => (
    <div class="tray-note" key={`${name} ${index}`}>
      <span dir="auto">{name}</span>
      <progress aria-label={t('compose.uploadingName', { name })} value={part} max={1} />
      <IconButton
        icon="x"
        label={t('compose.cancelUploadOfName', { name })}
        onClick={({ currentTarget }) => {
          currentTarget.closest('form')?.querySelector('textarea')?.focus();
          abort.abort();
        }}
      />
    </div>
  ));
}
