import { signal } from '@preact/signals';
import { END_SECONDS, isDraftOf, isSettled, type LocalDraft, textOf } from '#web/state/feed/drafts.ts';
import { type Conversation, keyOfNarrow, narrowOf } from '#web/state/narrow.ts';
import type { Draft } from '#web/state/wire.ts';
import { ApiError, call } from './api.ts';
import { forgetKept, keep, keptNames, readKept } from './device.ts';
import { onEvent } from './hearing.ts';
import { randomId } from './random-id.ts';
import { serviceNowMs } from './service-clock.ts';
import { connection, server } from './store.ts';

/**
 * Unsent texts. Each is kept on this device at once. If the viewer synchronizes drafts, the service stores it a moment
 * later for other devices; then the copy here is removed and the service's version counts.
 */
const PREFIX = 'draft ';
const SAVE_AFTER_MS = 1_500;

/** Another one when the drafts of this device change. */
export const localDraftsChange = signal(Symbol());
const noteChange = (): void => {
  localDraftsChange.value = Symbol();
};

const prefixNow = (): string => `${PREFIX}${server.value.user_id} `;
const keyOf = (conversation: Conversation): string => `${prefixNow()}${keyOfNarrow(narrowOf(conversation))}`;

function readLocal(key: string): LocalDraft | undefined {
  const text = readKept(key);
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function forgetLocal(key: string): void {
  forgetKept(key);
  noteChange();
}

/** The drafts of this device that the service does not have, or not as they are. */
export const localDrafts = (): LocalDraft[] => keptNames(prefixNow()).flatMap((key) => readLocal(key) ?? []);

const keptDraft = (conversation: Conversation): Draft | undefined =>
  server.value.drafts?.find((draft) => isDraftOf(conversation, draft));

const isSynchronized = (): boolean => server.value.user_settings.enable_drafts_synchronization;

/** The draft of a conversation; empty if there is none. */
export const readDraft = (conversation: Conversation): string =>
  textOf(readLocal(keyOf(conversation)), keptDraft(conversation));

/** The draft that another tab of this device changed last, by key; another object for each change. */
const changeElsewhere = signal<{ key: string; content: string } | undefined>(undefined);

/** What another tab made of a draft; another object for each change, undefined if it is about another conversation. */
export const readOtherTab = (conversation: Conversation): { content: string } | undefined =>
  changeElsewhere.value?.key === keyOf(conversation) ? changeElsewhere.value : undefined;

function noteOtherTab({ key, newValue, storageArea }: StorageEvent): void {
  if (key?.startsWith(prefixNow()) === true && storageArea !== null) {
    const content = newValue === null ? undefined : readLocal(key)?.content;
    // An entry that goes is at the service now, unless drafts stay on their device: then its text has ended.
    if (content !== undefined || !isSynchronized()) changeElsewhere.value = { key, content: content ?? '' };
  }
  noteChange();
}

/** What another device made of a draft; undefined where this device has the last word. */
export const readOutside = (conversation: Conversation): string | undefined =>
  isSynchronized() && !readKept(keyOf(conversation)) ? (keptDraft(conversation)?.content ?? '') : undefined;

const timers = new Map<string, ReturnType<typeof setTimeout>>();

function saveSoon(conversation: Conversation, afterMs: number): void {
  const key = keyOf(conversation);
  clearTimeout(timers.get(key));
  timers.set(
    key,
    setTimeout(() => void saveDraft(conversation), afterMs),
  );
}

/** Keeps the text being written; an empty text ends the draft. */
export function keepDraft(conversation: Conversation, content: string): void {
  const key = keyOf(conversation);
  if (changeElsewhere.peek()?.key === key) changeElsewhere.value = undefined;
  const isEnd = content.trim() === '';
  const mayBeKept = isSynchronized() && (idAtService(key, conversation) !== undefined || saving.has(key));
  if (isEnd && !mayBeKept) {
    if (readLocal(key)) forgetLocal(key);
    return;
  }
  const local: LocalDraft = { conversation, content, timestamp: Math.floor(serviceNowMs() / 1000) };
  keep(key, JSON.stringify(local));
  noteChange();
  if (isSynchronized()) saveSoon(conversation, isEnd ? 0 : SAVE_AFTER_MS);
}

/** Savings on their way, by key; a draft is saved by one call at a time. */
const saving = new Map<string, Promise<void>>();
/** Whether a page is open that saves drafts. */
let isWatched = false;
/** When saved drafts are checked again, by key. */
const settling = new Map<string, ReturnType<typeof setTimeout>>();
/** Ids that the service gave to drafts whose event may not have arrived yet, by key. */
const createdIds = new Map<string, number>();

/** The former places of moved drafts that are not saved yet, by their present key. */
const cameFrom = new Map<string, Conversation>();

/** The service's draft of a conversation, also if it is still at its former place. */
function idAtService(key: string, conversation: Conversation): number | undefined {
  const from = cameFrom.get(key);
  return (
    keptDraft(conversation)?.id ??
    createdIds.get(key) ??
    (from && (createdIds.get(keyOf(from)) ?? keptDraft(from)?.id))
  );
}

async function saveDraft(conversation: Conversation): Promise<void> {
  const key = keyOf(conversation);
  await saving.get(key);
  const local = readLocal(key);
  if (!local) return;
  const now = tellService(key, local).then(
    () => {
      const from = cameFrom.get(key);
      if (from) createdIds.delete(keyOf(from));
      cameFrom.delete(key);
      clearTimeout(settling.get(key));
      if (!isWatched) return;
      settling.set(
        key,
        setTimeout(() => settle(conversation), (END_SECONDS + 1) * 1000),
      );
    },
    (failure) => {
      // The draft stays on this device and is sent after a reconnection or the next change.
      if (!(failure instanceof ApiError)) console.warn('A draft was not saved', failure);
    },
  );
  saving.set(
    key,
    now.then(() => undefined),
  );
  await now;
  saving.delete(key);
  settle(conversation);
}

async function tellService(key: string, local: LocalDraft): Promise<void> {
  const { conversation, content, timestamp } = local;
  const id = idAtService(key, conversation);
  const draft = {
    type: conversation.type,
    to: conversation.type === 'stream' ? [conversation.channelId] : conversation.userIds,
    topic: conversation.type === 'stream' ? conversation.topic : '',
    content,
    timestamp,
  };
  if (content.trim() === '') {
    createdIds.delete(key);
    if (id !== undefined) await call('DELETE', `/drafts/${id}`);
  } else if (id !== undefined) await call('PATCH', `/drafts/${id}`, { draft });
  else {
    const idempotencyKey = randomId();
    const reply = await call<{ ids: number[] }>('POST', '/drafts', { drafts: [draft] }, { idempotencyKey });
    if (reply.ids[0] !== undefined) createdIds.set(key, reply.ids[0]);
  }
}

/** Hands a draft over to the service once its event has confirmed it. */
function settle(conversation: Conversation): void {
  const key = keyOf(conversation);
  const local = readLocal(key);
  if (local && isSettled(local, keptDraft(conversation), serviceNowMs() / 1000)) forgetLocal(key);
}

/** Saves unsaved drafts at the service and follows other devices and tabs; returns a function that stops this. */
export function watchDrafts(): () => void {
  isWatched = true;
  const stopHearing = onEvent('drafts', () => {
    for (const { conversation } of localDrafts()) settle(conversation);
    createdIds.clear();
    noteChange();
  });
  const stopWaking = connection.subscribe(({ status }) => {
    if (status !== 'connected' || !isSynchronized()) return;
    for (const { conversation } of localDrafts()) saveSoon(conversation, SAVE_AFTER_MS);
  });
  window.addEventListener('storage', noteOtherTab);
  return () => {
    stopHearing();
    stopWaking();
    window.removeEventListener('storage', noteOtherTab);
    isWatched = false;
    // Unsaved drafts are saved when drafts are watched again.
    for (const timer of [...timers.values(), ...settling.values()]) clearTimeout(timer);
  };
}

/** Takes a draft along to where its conversation has gone; it stays the same draft of the service. */
export function moveDraft(from: Conversation, to: Conversation): void {
  const content = readDraft(from);
  if (content.trim() === '' || readDraft(to).trim() !== '') return;
  const [fromKey, toKey] = [keyOf(from), keyOf(to)];
  clearTimeout(timers.get(fromKey));
  cameFrom.set(toKey, cameFrom.get(fromKey) ?? from);
  cameFrom.delete(fromKey);
  // A save that waits for the network creates the draft at its former place; the next one moves it.
  const running = saving.get(fromKey);
  if (running) saving.set(toKey, running);
  keepDraft(to, content);
  forgetLocal(keyOf(from));
}

/** Deletes a draft here and at the service. */
export async function removeDraft(
  conversation: Conversation | undefined,
  id: number | undefined,
): Promise<void> {
  if (id !== undefined) await call('DELETE', `/drafts/${id}`);
  if (conversation) forgetLocal(keyOf(conversation));
}

/** Ends a draft here and at the service, as after sending. */
export const endDraft = (conversation: Conversation): void => keepDraft(conversation, '');
