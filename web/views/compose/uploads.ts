import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { explain } from '#web/net/api.ts';
import { server, tell } from '#web/net/store.ts';
import { Cancelled, upload } from '#web/net/uploads.ts';
import { writeInto } from './text.ts';

interface Bar {
  id: number;
  name: string;
  part: number;
  cancel: () => void;
}

let lastId = 0;

export interface Uploads {
  bars: ReadonlySignal<Bar[]>;
  isBusy: ReadonlySignal<boolean>;
  choose: () => void;
  onPaste: (event: ClipboardEvent) => void;
  onDrop: (event: DragEvent) => void;
}

/** Files that are pasted, dropped or chosen: uploaded beside the text, which names them where they were put. */
export function useUploads(field: RefObject<HTMLTextAreaElement | null>): Uploads {
  const bars = useSignal<Bar[]>([]);
  const isBusy = useComputed(() => bars.value.length > 0);
  const take = (files: Iterable<File>): void => {
    for (const file of files) void uploadOne(file);
  };
  const uploadOne = async (file: File): Promise<void> => {
    const element = field.current;
    const most = server.value.max_file_upload_size_mib;
    if (!element) return;
    if (file.size > most * 1024 * 1024) return tell(`${file.name} is larger than ${most} MB.`);
    lastId += 1;
    const id = lastId;
    const abort = new AbortController();
    const isTwice = bars.value.some(({ name }) => name === file.name);
    const placeholder = `[Uploading ${file.name}${isTwice ? ` (${id})` : ''}…]()`;
    writeInto(element, `${placeholder}\n`);
    bars.value = [...bars.value, { id, name: file.name, part: 0, cancel: () => abort.abort() }];
    const onProgress = (part: number): void => {
      bars.value = bars.value.map((one) => (one.id === id ? { ...one, part } : one));
    };
    try {
      const { name, url } = await upload(file, onProgress, abort.signal);
      const label = name.replaceAll(/[[\]]/g, '');
      replace(
        element,
        placeholder,
        file.type.startsWith('image/') ? `![${label}](${url})` : `[${label}](${url})`,
      );
    } catch (failure) {
      replace(element, `${placeholder}\n`, '');
      if (!(failure instanceof Cancelled)) tell(`${file.name} was not uploaded: ${explain(failure)}`);
    }
    bars.value = bars.value.filter((one) => one.id !== id);
  };
  return {
    bars,
    isBusy,
    choose: () => {
      const input = document.createElement('input');
      input.type = 'file';
      input.multiple = true;
      input.onchange = () => take(input.files ?? []);
      input.click();
    },
    onPaste: (event) => {
      const files = event.clipboardData?.files;
      const isText = event.clipboardData?.types.includes('text/plain') === true;
      // Spreadsheets put a picture beside the text that was meant.
      if (!files || files.length === 0 || isText) return;
      event.preventDefault();
      take(files);
    },
    onDrop: (event) => {
      const files = event.dataTransfer?.files;
      if (!files || files.length === 0) return;
      event.preventDefault();
      take(files);
    },
  };
}

function replace(field: HTMLTextAreaElement, before: string, after: string): void {
  const at = field.value.indexOf(before);
  if (at < 0) return;
  field.setRangeText(after, at, at + before.length, 'preserve');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
