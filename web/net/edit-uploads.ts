import { signal } from '@preact/signals';
import { joinFiles } from '#web/state/attachments.ts';
import type { Edit } from '#web/state/feed/edits.ts';
import { editsChange, forgetEdit, keepEdit, readEdit } from './edits.ts';
import { showNotice } from './store.ts';
import { Refused, upload } from './uploads.ts';

/** An upload of an edit. */
export interface EditUpload {
  file: File;
  /** The uploaded part, from 0 to 1. */
  part: number;
  abort: AbortController;
}

/** An open edit, and the function that changes it. */
export interface OpenEdit {
  edit: Edit | undefined;
  change: (edit: Edit) => void;
}

const uploads = signal<ReadonlyMap<number, readonly EditUpload[]>>(new Map());
const open = new Map<number, OpenEdit>();

/** The uploads that run for the edit of a message, whether its box is open or not. */
export const uploadsOf = (messageId: number): readonly EditUpload[] => uploads.value.get(messageId) ?? [];

function put(messageId: number, items: readonly EditUpload[]): void {
  const next = new Map(uploads.peek());
  if (items.length === 0) next.delete(messageId);
  else next.set(messageId, items);
  uploads.value = next;
}

const listOf = (messageId: number): readonly EditUpload[] => uploads.peek().get(messageId) ?? [];

/** Notes the open edit of a message: links of finished uploads go there. Returns what ends this. */
export function holdEdit(messageId: number, box: OpenEdit): () => void {
  open.set(messageId, box);
  return () => {
    if (open.get(messageId) === box) open.delete(messageId);
  };
}

/** Uploads files for the edit of a message, and writes their links below its text, which the device keeps if the box was left. */
export function addToEdit(messageId: number, files: Iterable<File>, begun: Edit): void {
  for (const file of files) {
    const item = { file, part: 0, abort: new AbortController() };
    put(messageId, [...listOf(messageId), item]);
    void run(messageId, item, begun);
  }
}

async function run(messageId: number, { file, abort }: EditUpload, begun: Edit): Promise<void> {
  const onProgress = (part: number): void =>
    put(
      messageId,
      listOf(messageId).map((item) => (item.abort === abort ? { ...item, part } : item)),
    );
  try {
    const { name, url } = await upload(file, { onProgress, onPause: () => undefined }, abort.signal);
    if (abort.signal.aborted) return;
    const box = open.get(messageId);
    const now = box?.edit ?? readEdit(messageId) ?? begun;
    const link = { name, url, isPicture: file.type.startsWith('image/') };
    const next = { ...now, text: joinFiles(now.text.trimEnd(), [link]) };
    if (box) {
      box.edit = next;
      box.change(next);
    } else keepEdit(messageId, next);
    // The box may be about to close.
    editsChange.value = Symbol();
  } catch (failure) {
    if (failure instanceof Refused) showNotice(failure.message);
  } finally {
    put(
      messageId,
      listOf(messageId).filter((item) => item.abort !== abort),
    );
  }
}

/** Ends the edit of a message with its uploads. */
export function discardEdit(messageId: number): void {
  for (const { abort } of listOf(messageId)) abort.abort();
  forgetEdit(messageId);
}
