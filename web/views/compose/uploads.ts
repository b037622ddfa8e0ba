import { type ReadonlySignal, signal, useComputed } from '@preact/signals';
import type { RefObject } from 'preact';
import { explain } from '#web/net/api.ts';
import { server, showNotice } from '#web/net/store.ts';
import { Cancelled, type UploadWatch, upload } from '#web/net/uploads.ts';
import { type Conversation, keyOfNarrow, narrowOf } from '#web/state/narrow.ts';
import { t } from '#web/texts/texts.ts';
import { readClipboard } from './clipboard.ts';
import { hostOf } from './hosts.ts';
import { writeInto } from './text.ts';

/** A file on its way. It continues when the viewer leaves its conversation. */
interface Bar {
  id: number;
  key: string;
  name: string;
  placeholder: string;
  part: number;
  /** Whether it waits for the network. */
  isPaused: boolean;
  cancel: () => void;
}

const allBars = signal<Bar[]>([]);
/** Conversations whose message is sent as soon as its files are there. */
const waiting = signal<ReadonlySet<string>>(new Set());
let lastId = 0;

const keyOf = (conversation: Conversation): string => keyOfNarrow(narrowOf(conversation));

function setWaiting(key: string, waits: boolean): void {
  const next = new Set(waiting.value);
  if (waits) next.add(key);
  else next.delete(key);
  waiting.value = next;
}

const PLACEHOLDER = /\[Uploading [^\]]*…\]\(\)\n?/g;

/** A text that was begun, without files whose upload ended with the page. */
export const withoutLost = (text: string): string =>
  text.replace(PLACEHOLDER, (found) =>
    allBars.value.some(({ placeholder }) => placeholder === found.trim()) ? found : '',
  );

export interface Uploads {
  bars: ReadonlySignal<Bar[]>;
  isBusy: ReadonlySignal<boolean>;
  /** Whether the message is sent as soon as the files are there. */
  isWaiting: ReadonlySignal<boolean>;
  sendAfter: () => void;
  choose: () => void;
  take: (files: Iterable<File>) => void;
  onPaste: (event: ClipboardEvent) => void;
  onDrop: (event: DragEvent) => void;
}

/** Files that are pasted, dropped or chosen: uploaded beside the text, which names them where they were put. */
export function useUploads(
  conversation: Conversation,
  field: RefObject<HTMLTextAreaElement | null>,
): Uploads {
  const key = keyOf(conversation);
  const bars = useComputed(() => allBars.value.filter((one) => one.key === key));
  const take = (files: Iterable<File>): void => {
    for (const file of files) if (field.current) void uploadOne(conversation, field.current, file);
  };
  return {
    bars,
    isBusy: useComputed(() => bars.value.length > 0),
    isWaiting: useComputed(() => waiting.value.has(key)),
    sendAfter: () => setWaiting(key, true),
    take,
    choose: () => {
      const input = document.createElement('input');
      input.type = 'file';
      input.multiple = true;
      input.onchange = () => take(input.files ?? []);
      input.click();
    },
    onPaste: (event) => {
      const pasted = readClipboard(event.clipboardData);
      if (!pasted) return;
      event.preventDefault();
      if (pasted.kind === 'files') take(pasted.files);
      else if (field.current) writeInto(field.current, pasted.text);
    },
    onDrop: (event) => {
      const files = event.dataTransfer?.files;
      if (!files || files.length === 0) return;
      event.preventDefault();
      take(files);
    },
  };
}

async function uploadOne(conversation: Conversation, field: HTMLTextAreaElement, file: File): Promise<void> {
  const most = server.value.max_file_upload_size_mib;
  if (file.size > most * 1024 * 1024)
    return showNotice(t('compose.fileIsTooLargeFiles', { file: file.name, most }));
  lastId += 1;
  const id = lastId;
  const key = keyOf(conversation);
  const abort = new AbortController();
  const isTwice = allBars.value.some((one) => one.key === key && one.name === file.name);
  const placeholder = `[Uploading ${file.name.replaceAll(/[[\]]/g, '')}${isTwice ? ` (${id})` : ''}…]()`;
  writeInto(field, `${placeholder}\n`);
  const cancel = (): void => abort.abort();
  allBars.value = [
    ...allBars.value,
    { id, key, name: file.name, placeholder, part: 0, isPaused: false, cancel },
  ];
  const change = (changes: Partial<Bar>): void => {
    allBars.value = allBars.value.map((one) => (one.id === id ? { ...one, ...changes } : one));
  };
  const watch: UploadWatch = {
    onProgress: (part) => change({ part }),
    onPause: (isPaused) => change({ isPaused }),
  };
  try {
    const { name, url } = await upload(file, watch, abort.signal);
    const sign = file.type.startsWith('image/') ? '!' : '';
    hostOf(conversation).replace(placeholder, `${sign}[${name.replaceAll(/[[\]]/g, '')}](${url})`);
  } catch (failure) {
    setWaiting(key, false);
    hostOf(conversation).replace(`${placeholder}\n`, '');
    if (!(failure instanceof Cancelled))
      showNotice(t('compose.couldntUploadFileReason', { file: file.name, reason: explain(failure) }));
  }
  allBars.value = allBars.value.filter((one) => one.id !== id);
  if (!waiting.value.has(key) || allBars.value.some((one) => one.key === key)) return;
  setWaiting(key, false);
  hostOf(conversation).submit();
}
