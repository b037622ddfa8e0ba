import { signal } from '@preact/signals';
import { type FileLink, joinFiles, linkOf, splitFiles } from '#web/state/attachments.ts';
import { type Conversation, keyOfNarrow, narrowOf } from '#web/state/narrow.ts';
import { t } from '#web/texts/texts.ts';
import { keepDraft, moveDraft, readDraft } from './drafts.ts';
import { showNotice } from './store.ts';
import { Refused, upload } from './uploads.ts';

/** A file of a message that is being written. */
export interface Attachment {
  id: number;
  name: string;
  isPicture: boolean;
  /** `paused` waits for the network. */
  status: 'running' | 'paused' | 'done' | 'refused';
  /** The uploaded part, from 0 to 1. */
  part: number;
  /** The file of this device; absent if the draft was opened with its link. */
  file?: File;
  /** The address of a finished upload, relative to the service. */
  url?: string;
  /** The reason of a refusal. */
  reason?: string;
  /** Whether another try may succeed. */
  mayRetry?: boolean;
  abort: AbortController;
}

/** The files of one conversation's message. Their uploads continue when the viewer leaves the conversation. */
export interface Tray {
  conversation: Conversation;
  items: readonly Attachment[];
  /** Sends the message; present while the message waits for its uploads. */
  send?: ((to: Conversation) => void) | undefined;
}

const trays = signal<ReadonlyMap<string, Tray>>(new Map());
let lastId = 0;

const keyOf = (conversation: Conversation): string => keyOfNarrow(narrowOf(conversation));

const readTray = (conversation: Conversation, all = trays.peek()): Tray =>
  all.get(keyOf(conversation)) ?? { conversation, items: [] };

/** The files of a conversation's message. */
export const trayOf = (conversation: Conversation): Tray => readTray(conversation, trays.value);

/** Whether the upload of a file is unfinished: it runs or waits for the network. */
export const isRunning = ({ status }: Attachment): boolean => status === 'running' || status === 'paused';

/** Whether uploads of the message run. */
export const isBusy = ({ items }: Tray): boolean => items.some(isRunning);

/** The finished uploads of the message, in order. */
export const filesOf = ({ items }: Tray): FileLink[] =>
  items.flatMap(({ name, url, isPicture, status }) =>
    status === 'done' && url !== undefined ? [{ name, url, isPicture }] : [],
  );

function putTray(tray: Tray): void {
  const next = new Map(trays.peek());
  if (tray.items.length === 0) next.delete(keyOf(tray.conversation));
  else next.set(keyOf(tray.conversation), tray);
  trays.value = next;
}

/** Changes a tray, and the draft if its finished files change. */
function change(before: Tray, items: readonly Attachment[], send = before.send): Tray {
  const after: Tray = { ...before, items, send };
  putTray(after);
  const [former, files] = [filesOf(before), filesOf(after)];
  if (former.map(linkOf).join() === files.map(linkOf).join()) return after;
  const links = new Set([...former, ...files].map(linkOf));
  const { text } = splitFiles(readDraft(before.conversation), (link) => links.has(link));
  keepDraft(before.conversation, joinFiles(text, files));
  return after;
}

/** The tray that has the file; a tray moves with its conversation. */
const trayWith = (id: number): Tray | undefined =>
  [...trays.peek().values()].find(({ items }) => items.some((item) => item.id === id));

function changeItem(id: number, changes: Partial<Attachment>): Tray | undefined {
  const tray = trayWith(id);
  if (!tray) return undefined;
  return change(
    tray,
    tray.items.map((item) => (item.id === id ? { ...item, ...changes } : item)),
  );
}

/** Uploads files for the message of a conversation. A refused file stays in the tray with its reason. */
export function addFiles(conversation: Conversation, files: Iterable<File>): void {
  addEventListener('beforeunload', warnOfLoss);
  for (const file of files) {
    lastId += 1;
    const item = { id: lastId, name: file.name, isPicture: file.type.startsWith('image/'), part: 0, file };
    const tray = readTray(conversation);
    change(tray, [...tray.items, { ...item, status: 'running', abort: new AbortController() }]);
    void run(item.id, file);
  }
}

/** Leaving the page ends its uploads, so the browser shows its question first. */
function warnOfLoss(event: BeforeUnloadEvent): void {
  if ([...trays.peek().values()].some(isBusy)) event.preventDefault();
}

async function run(id: number, file: File): Promise<void> {
  const abort = new AbortController();
  changeItem(id, { status: 'running', part: 0, abort });
  const watch = {
    onProgress: (part: number) => void changeItem(id, { part: Math.round(part * 100) / 100 }),
    onPause: (isPaused: boolean) => void changeItem(id, { status: isPaused ? 'paused' : 'running' }),
  };
  try {
    const { name, url } = await upload(file, watch, abort.signal);
    finish(changeItem(id, { status: 'done', part: 1, name, url }));
  } catch (failure) {
    // A removed file is no longer in its tray.
    if (failure instanceof Refused) refuse(id, failure);
  }
}

/** A message that waited for the file waits no longer: its author decides. */
function refuse(id: number, { message: reason, mayRetry }: Refused): void {
  const tray = changeItem(id, { status: 'refused', reason, mayRetry });
  if (tray?.send) putTray({ ...tray, send: undefined });
}

function finish(tray: Tray | undefined): void {
  if (!tray?.send || isBusy(tray)) return;
  putTray({ ...tray, send: undefined });
  tray.send(tray.conversation);
}

/** Uploads a refused file again. */
export function retryFile({ id, file }: Attachment): void {
  if (file) void run(id, file);
}

/** Takes a file from the message, and cancels its upload. A notice offers to undo it. */
export function removeFile({ id }: Attachment): void {
  const tray = trayWith(id);
  const place = tray?.items.findIndex((item) => item.id === id) ?? -1;
  const removed = tray?.items[place];
  if (!tray || !removed) return;
  removed.abort.abort();
  const after = change(
    tray,
    tray.items.filter((item) => item !== removed),
  );
  if (after.send) putTray({ ...after, send: undefined });
  if (removed.status === 'refused') return;
  showNotice(t('compose.nameRemoved', { name: removed.name }), {
    label: t('common.undo'),
    run: () => {
      const now = readTray(tray.conversation);
      change(now, now.items.toSpliced(place, 0, removed));
      if (removed.file && isRunning(removed)) void run(id, removed.file);
    },
  });
}

/** Sends the message when its uploads are finished. If one fails or is removed, the message waits for its author. */
export function sendWhenDone(conversation: Conversation, send: (to: Conversation) => void): void {
  putTray({ ...readTray(conversation), send });
}

/** Lets the author change a message that waits for its uploads. */
export function keepEditing(conversation: Conversation): void {
  putTray({ ...readTray(conversation), send: undefined });
}

/** Shows the files of a draft that was opened, or changed elsewhere. Unfinished ones of this device stay. */
export function adoptFiles(conversation: Conversation, files: readonly FileLink[]): void {
  const tray = readTray(conversation);
  const rest = new Map(files.map((file) => [file.url, file]));
  const stay = tray.items.filter(
    ({ status, url }) => status !== 'done' || (url !== undefined && rest.delete(url)),
  );
  if (stay.length === tray.items.length && rest.size === 0) return;
  const added = [...rest.values()].map((file): Attachment => {
    lastId += 1;
    return { ...file, id: lastId, status: 'done', part: 1, abort: new AbortController() };
  });
  putTray({ ...tray, items: [...stay, ...added] });
}

/** Takes the finished files out of the tray, as after sending. Refused ones stay until they are removed. */
export function clearFiles(conversation: Conversation): void {
  const tray = readTray(conversation);
  putTray({ ...tray, items: tray.items.filter(({ status }) => status !== 'done'), send: undefined });
}

/** Moves a draft with its files and uploads to another conversation, if nothing is written there. */
export function moveWriting(from: Conversation, to: Conversation): boolean {
  const tray = readTray(from);
  if (readDraft(to).trim() !== '' || readTray(to).items.length > 0) return false;
  moveDraft(from, to);
  putTray({ ...tray, items: [], send: undefined });
  putTray({ ...tray, conversation: to });
  return true;
}
