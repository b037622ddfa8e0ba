import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import {
  addConversations,
  type ConversationPage,
  type Conversations,
  noConversations,
  withEdit,
  withMessage,
  withoutNewest,
} from '#web/state/conversations.ts';
import { deletedIds, movedTo } from '#web/state/messages.ts';
import { call, explain } from './api.ts';
import { onEvent } from './hearing.ts';
import { connection, generation, server } from './store.ts';

/** The conversations that were fetched; events keep them current. */
export const conversations = signal<Conversations>(noConversations);

/** Whether a page is on its way, or the reason why the last one did not arrive. */
export const conversationLoad = signal<{ isLoading: boolean; failure?: string }>({ isLoading: false });

/** The state of the service when the first page was fetched. */
let round: symbol | undefined;

const PAGE = 50;
/** A page may be empty although there are older conversations. */
const MOST_CALLS = 5;

const fetchPage = (before: number | null | undefined): Promise<ConversationPage> =>
  call<ConversationPage>('GET', '/conversations', {
    limit: PAGE,
    ...(before && { before }),
    apply_markdown: true,
    client_gravatar: true,
    allow_empty_topic_name: true,
  });

async function load(work: () => Promise<void>): Promise<void> {
  if (conversationLoad.value.isLoading) return;
  conversationLoad.value = { isLoading: true };
  try {
    await work();
    conversationLoad.value = { isLoading: false };
  } catch (failure) {
    conversationLoad.value = { isLoading: false, failure: explain(failure) };
  }
}

const add = (list: Conversations, page: ConversationPage): Conversations =>
  addConversations(list, page, server.value.user_id);

/** Fetches the first page, unless it is there. */
export const openConversations = (): Promise<void> =>
  load(async () => {
    const now = generation.value;
    if (round === now) return;
    const page = await fetchPage(undefined);
    round = now;
    const newest = page.conversations[0]?.last_message.id ?? 0;
    // Messages that came meanwhile stay.
    const later = [...conversations.value.byKey].filter(([, entry]) => entry.newest.id > newest);
    const list = add({ ...noConversations, byKey: new Map(later) }, page);
    conversations.value = { ...list, nextBefore: page.next_before };
  });

/** Fetches older conversations. */
export const loadOlderConversations = (): Promise<void> =>
  load(async () => {
    const { size } = conversations.value.byKey;
    for (let n = 0; n < MOST_CALLS && conversations.value.byKey.size === size; n++) {
      const { nextBefore } = conversations.value;
      if (nextBefore === null || nextBefore === undefined) return;
      const page = await fetchPage(nextBefore);
      conversations.value = { ...add(conversations.value, page), nextBefore: page.next_before };
    }
  });

/** Fetches the newest conversations again, or the ones that end before a message or at it. */
async function reload(messageId?: number): Promise<ConversationPage | undefined> {
  const page = await fetchPage(messageId === undefined ? undefined : messageId + 1).catch(() => undefined);
  if (page) conversations.value = add(conversations.value, page);
  return page;
}

/** Fetches the conversations of moved messages again: a notice may have made theirs the newest. */
async function reloadMoved(messageId: number): Promise<void> {
  const page = await reload();
  if (page && (page.next_before ?? 0) > messageId) await reload(messageId);
}

onEvent('message', ({ message, flags }) => {
  conversations.value = withMessage(conversations.value, { ...message, flags }, server.value.user_id);
});
onEvent('update_message', (event) => {
  conversations.value = withEdit(conversations.value, event);
  if (!movedTo(event)) return;
  conversations.value = withoutNewest(conversations.value, new Set(event.message_ids));
  if (round) void reloadMoved(Math.max(...event.message_ids));
});
onEvent('delete_message', (event) => {
  const before = conversations.value;
  const gone = new Set(deletedIds(event));
  conversations.value = withoutNewest(before, gone);
  if (round && conversations.value !== before) void reload(Math.max(...gone));
});
onEvent('subscription', ({ op }) => {
  if (round && op === 'add') void reload();
});

/** Fetches the conversations when a page that shows them opens. */
export function useOpenConversations(isNeeded = true): void {
  const now = generation.value;
  const { status } = connection.value;
  useEffect(() => {
    if (isNeeded) void openConversations();
  }, [isNeeded, now, status]);
}

/** The conversations, fetched when a page that shows them opens. */
export function useConversations(isNeeded = true): Conversations {
  useOpenConversations(isNeeded);
  return conversations.value;
}
