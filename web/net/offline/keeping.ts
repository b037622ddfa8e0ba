import { batch } from '@preact/signals';
import type { Cache } from '#web/state/cache.ts';
import { cacheOfKept, changedParts, changedRuns, keptRun, stateOfParts } from '#web/state/kept.ts';
import { deletedIds } from '#web/state/messages.ts';
import type { State } from '#web/state/state.ts';
import { session } from '../api.ts';
import { forgetKept, keep, readKept } from '../device.ts';
import { onEvent } from '../hearing.ts';
import { cache, state } from '../store.ts';
import { KeptDatabase } from './database.ts';
import { OWNER } from './owner.ts';
import { removeWorker } from './worker.ts';

const MOST_RUNS = 30;
const EVERY_MS = 4_000;
const LONGEST_MS = 30 * 86_400_000;
/** The part that says that all others are there. */
const WHOLE = 'whole';

const databaseOf = (userId: string): string => `conversations ${userId}`;

/** Shows what this device kept of the account that used it last, until the service answers. */
export async function showKept(): Promise<void> {
  const owner = readKept(OWNER);
  if (owner === null || state.value) return;
  try {
    const database = await KeptDatabase.open(databaseOf(owner));
    const { parts, runs } = await database.readAll();
    database.close();
    const kept = parts.has(WHOLE) ? stateOfParts(parts) : undefined;
    if (!kept || state.value || session.value === 'out') return;
    const topics = (parts.get('topics') as Cache['topics'] | undefined) ?? new Map();
    batch(() => {
      state.value = kept;
      cache.value = cacheOfKept(runs, topics);
    });
  } catch (failure) {
    console.info('Nothing was kept on this device.', failure);
  }
}

/** Removes all that this device kept for the use without network: another account may use it next. */
export async function forgetAll(): Promise<void> {
  await removeWorker();
  await forgetConversations();
}

async function forgetConversations(): Promise<void> {
  const owner = readKept(OWNER);
  if (owner === null) return;
  forgetKept(OWNER);
  await KeptDatabase.remove(databaseOf(owner)).catch(() => undefined);
}

/** Keeps the state and the last conversations on this device. Returns what ends it. */
export function keepConversations(userId: number): () => void {
  const ending = new AbortController();
  keepOn(userId, ending.signal).catch((failure) => {
    if (!ending.signal.aborted) console.info('This browser keeps no conversations.', failure);
  });
  return () => ending.abort();
}

async function keepOn(userId: number, until: AbortSignal): Promise<void> {
  const owner = String(userId);
  if (readKept(OWNER) !== owner) await forgetConversations();
  const database = await KeptDatabase.open(databaseOf(owner));
  keep(OWNER, owner);
  // Ids of changed messages that may belong to conversations kept only on the device.
  let changed: number[] = [];
  const note = (ids: number[]): void => {
    changed = [...changed, ...ids];
  };
  const stops = [
    onEvent('delete_message', (event) => note(deletedIds(event))),
    onEvent('update_message', (event) => note(event.message_ids)),
  ];
  try {
    await database.removePart(WHOLE);
    await database.removeRunsBefore(Date.now() - LONGEST_MS);
    for (let kept: Kept = {}; !until.aborted; await pause(until)) {
      const ids = new Set(changed);
      changed = [];
      kept = await keepChanges(database, kept, ids);
      if (!until.aborted) await database.putPart(WHOLE, true);
    }
  } finally {
    for (const stop of stops) stop();
    database.close();
  }
}

/** Until the next changes are written; sooner if the page is left. */
const pause = (until: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', end);
      until.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, EVERY_MS);
    document.addEventListener('visibilitychange', end);
    until.addEventListener('abort', end);
  });

/** The last values that were stored. */
interface Kept {
  state?: State;
  cache?: Cache;
}

/** Writes a part at a time, so that no event waits for it. */
async function keepChanges(
  database: KeptDatabase,
  before: Kept,
  changed: ReadonlySet<number>,
): Promise<Kept> {
  const [now, messages] = [state.value, cache.value];
  if (!now) return before;
  for (const [name, part] of changedParts(before.state, now)) await database.putPart(name, part);
  if (before.cache?.topics !== messages.topics) await database.putPart('topics', messages.topics);
  if (changed.size > 0)
    for (const { key, messages: kept } of await database.readRuns())
      if (!messages.runs.has(key) && kept.some(({ id }) => changed.has(id))) await database.removeRun(key);
  const startMs = Date.now();
  for (const [index, key] of changedRuns(before.cache, messages).entries()) {
    const run = messages.runs.get(key);
    // In the order of their last use.
    if (run) await database.putRun(keptRun(messages, key, run, startMs + index / 1000), MOST_RUNS);
  }
  return { state: now, cache: messages };
}
