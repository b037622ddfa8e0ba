import { signal } from '@preact/signals';
import {
  addPage,
  type Cache,
  emptyCache,
  keepRuns,
  type Run,
  type Topic,
  trimRun,
} from '#web/state/cache.ts';
import { catchUp, MESSAGE_CHANGES } from '#web/state/feed/catch-up.ts';
import { keyOfNarrow, type Narrow, toWire } from '#web/state/narrow.ts';
import type { WireEvent } from '#web/state/wire-events.ts';
import type { Message } from '#web/state/wire-messages.ts';
import { t } from '#web/texts/texts.ts';
import { call, explain } from './api.ts';
import { onEvent } from './hearing.ts';
import { cache, channels, ownChannels, server, showNotice } from './store.ts';

interface Page {
  messages: Message[];
  found_oldest: boolean;
  found_newest: boolean;
  anchor: number;
}

/** How a feed fares, by the key of its narrow. */
export interface Loading {
  isLoading: boolean;
  failure?: string;
}
export const loading = signal<ReadonlyMap<string, Loading>>(new Map());

const FIRST_OLDER = 40;
const FIRST_NEWER = 60;
const MORE = 100;
/** As many messages as one feed keeps. */
const MOST_IN_RUN = 2_000;
const MOST_RUNS = 40;

function note(key: string, state: Loading): void {
  loading.value = new Map(loading.value).set(key, state);
}

/** How messages are asked for. */
const SHAPE = { apply_markdown: true, client_gravatar: true, allow_empty_topic_name: true };

/**
 * Takes an answer into the cache, and after it the events that came while it was on its way: it may be older than these.
 * `key` names the run that the answer belongs to.
 */
async function takeIn<Answer>(
  asking: Promise<Answer>,
  add: (before: Cache, answer: Answer) => Cache,
  key?: string,
): Promise<void> {
  const events: WireEvent[] = [];
  const stops = MESSAGE_CHANGES.map((type) => onEvent(type, (event) => void events.push(event)));
  try {
    const answer = await asking;
    cache.value = catchUp(add(cache.value, answer), events, server.value, key);
  } finally {
    for (const stop of stops) stop();
  }
}

const fetchPage = (narrow: Narrow, anchor: number | string, older: number, newer: number): Promise<Page> =>
  call<Page>('GET', '/messages', {
    narrow: toWire(narrow, server.value.user_id),
    anchor,
    num_before: older,
    num_after: newer,
    ...SHAPE,
  });

/** A place in a feed: the first fully visible message, and its distance from the top of the window. */
export interface Place {
  messageId: number;
  offsetPx: number;
}

interface ShownFeed {
  narrow: Narrow;
  placeOf: () => Place | undefined;
  /** The newest message for a viewer at the end, who stays there whatever arrives. */
  placeToReturn: () => Place | undefined;
}

let shown: ShownFeed | undefined;

/** Registers the feed that is on the screen; returns a function that removes it. */
export function show(now: ShownFeed): () => void {
  shown = now;
  return () => {
    if (shown === now) shown = undefined;
  };
}

/** The place to which the viewer of the visible feed returns when its messages are fetched again. */
export const placeToReturn = (): Place | undefined => shown?.placeToReturn();

export const shownNarrow = (): Narrow | undefined => shown?.narrow;

/** The cache of a new queue, with the visible feed around its place; undefined if no feed is visible. */
export async function fetchShown(): Promise<Cache | undefined> {
  const place = shown?.placeOf();
  if (!shown || !place) return undefined;
  const { narrow } = shown;
  try {
    const page = await fetchPage(narrow, place.messageId, FIRST_NEWER, FIRST_NEWER);
    const { messages, found_oldest: hasOldest, found_newest: hasNewest } = page;
    return addPage(emptyCache, keyOfNarrow(narrow), { narrow, messages, hasOldest, hasNewest });
  } catch {
    return undefined;
  }
}

/** The opening position of a feed: its first unread message, its newest one, or a given one. */
export type Anchor = 'first_unread' | 'newest' | number;

/** Fetches the first page of a feed, unless it is loaded. */
export async function openRun(narrow: Narrow, anchor: Anchor): Promise<void> {
  const key = keyOfNarrow(narrow);
  const known = cache.value.runs.get(key);
  if (known && has(known, anchor)) {
    cache.value = keepRuns(cache.value, key, MOST_RUNS);
    return;
  }
  if (loading.value.get(key)?.isLoading) return;
  note(key, { isLoading: true });
  try {
    await takeIn(
      fetchPage(narrow, anchor, FIRST_OLDER, FIRST_NEWER),
      (before, { messages, found_oldest: hasOldest, found_newest: hasNewest }) =>
        keepRuns(addPage(before, key, { narrow, messages, hasOldest, hasNewest }), key, MOST_RUNS),
      key,
    );
    note(key, { isLoading: false });
  } catch (failure) {
    note(key, { isLoading: false, failure: explain(failure) });
  }
}

/** Fetches one end of a feed, whatever else is on its way; the messages in between are dropped. */
export async function jumpTo(narrow: Narrow, end: 'oldest' | 'newest'): Promise<void> {
  const key = keyOfNarrow(narrow);
  try {
    await takeIn(
      fetchPage(narrow, end, end === 'newest' ? MORE : 0, end === 'newest' ? 0 : MORE),
      (before, { messages, found_oldest: hasOldest, found_newest: hasNewest }) =>
        addPage(before, key, { narrow, messages, hasOldest, hasNewest }),
      key,
    );
  } catch (failure) {
    showNotice(t('actions.couldntLoadMessagesReason', { reason: explain(failure) }));
  }
}

function has(run: Run, anchor: Anchor): boolean {
  if (anchor === 'newest') return run.hasNewest;
  if (anchor === 'first_unread') return run.hasNewest || run.ids.length > 0;
  return run.ids.includes(anchor);
}

/** Fetches more at one end of a feed. */
export async function extendRun(narrow: Narrow, end: 'older' | 'newer'): Promise<void> {
  const key = keyOfNarrow(narrow);
  const run = cache.value.runs.get(key);
  if (!run || loading.value.get(key)?.isLoading) return;
  const isOlder = end === 'older';
  const anchor = isOlder ? run.ids[0] : run.ids.at(-1);
  if (anchor === undefined || (isOlder ? run.hasOldest : run.hasNewest)) return;
  const known = new Set(run.ids);
  note(key, { isLoading: true });
  try {
    await takeIn(
      fetchPage(narrow, anchor, isOlder ? MORE : 0, isOlder ? 0 : MORE),
      (before, { messages, found_oldest, found_newest }) => {
        // The feed was left for its other end meanwhile.
        if (!before.runs.get(key)?.ids.some((id) => known.has(id))) return before;
        // A reply that lacks the anchor, which was deleted meanwhile, still borders on the run.
        const bordering = messages.some(({ id }) => id === anchor)
          ? messages
          : [...messages, ...[before.byId.get(anchor)].filter((message) => message !== undefined)];
        const ends = { hasOldest: isOlder && found_oldest, hasNewest: !isOlder && found_newest };
        return addPage(before, key, { narrow, messages: bordering, ...ends });
      },
      key,
    );
    note(key, { isLoading: false });
    // A list keeps its place while it changes at one end at a time.
    setTimeout(() => {
      cache.value = trimRun(cache.value, key, isOlder ? 'new' : 'old', MOST_IN_RUN);
    });
  } catch (failure) {
    note(key, { isLoading: false, failure: explain(failure) });
  }
}

/** Fetches the topics of a channel, unless they are there. */
export async function loadTopics(channelId: number): Promise<void> {
  if (cache.value.topics.has(channelId)) return;
  await takeIn(
    call<{ topics: Topic[] }>('GET', `/users/me/${channelId}/topics`, { allow_empty_topic_name: true }),
    (before, { topics }) => ({ ...before, topics: new Map(before.topics).set(channelId, topics) }),
  );
}

/** The first message of a narrow from a day on, as `YYYY-MM-DD` in the viewer's zone; undefined if there is none. */
export async function findByDate(narrow: Narrow, date: string): Promise<number | undefined> {
  const reply = await call<Page>('GET', '/messages', {
    narrow: toWire(narrow, server.value.user_id),
    anchor: 'date',
    anchor_date: new Date(`${date}T00:00:00`).toISOString(),
    num_before: 0,
    num_after: 1,
    ...SHAPE,
  }).catch(() => undefined);
  return reply?.messages[0]?.id;
}

const AT_ONCE = 4;
const MOST_CHANNELS = 200;

/** Fetches the topics of all readable channels, the viewer's own channels first. */
export async function loadTopicsOfAll(): Promise<void> {
  const waiting = [...new Set([...ownChannels.value.keys(), ...channels.value.keys()])]
    .filter((id) => !cache.value.topics.has(id) && channels.value.get(id)?.is_archived !== true)
    .slice(0, MOST_CHANNELS);
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
      await loadTopics(id).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** One message by its id; undefined if the viewer may not read it or it is gone. */
export async function findMessage(id: number): Promise<Message | undefined> {
  const known = cache.value.byId.get(id);
  if (known) return known;
  // Asked for by a list, a message that may not be read is left out; asked for by itself it would be refused.
  const params = { message_ids: [id], ...SHAPE };
  const reply = await call<Page>('GET', '/messages', params).catch(() => undefined);
  return reply?.messages[0];
}
