import { foldName } from './names.ts';
import { type Conversation, conversationOfMessage, keyOfNarrow, narrowOf } from './narrow.ts';
import type { UnreadCounts } from './sidebar.ts';
import { isMuted } from './topics.ts';
import type { Snapshot } from './wire.ts';
import type { UpdateEvent } from './wire-events.ts';
import type { Message } from './wire-messages.ts';

/** A conversation with its last message. */
export interface RecentConversation {
  key: string;
  conversation: Conversation;
  newest: Message;
  /** Up to five people who wrote last, the most recent first. */
  participants: readonly number[];
  /** Whether the viewer wrote lately. */
  isOwn: boolean;
}

/** The conversations that were fetched, by key. */
export interface Conversations {
  readonly byKey: ReadonlyMap<string, RecentConversation>;
  /** Where the next page begins; null after the last page, undefined before the first. */
  readonly nextBefore: number | null | undefined;
}

export const noConversations: Conversations = { byKey: new Map(), nextBefore: undefined };

/** A page of conversations as the service returns it. */
export interface ConversationPage {
  conversations: { participants: number[]; is_participant: boolean; last_message: Message }[];
  next_before: number | null;
}

const MOST_PARTICIPANTS = 5;

export const keyOfConversation = (conversation: Conversation): string => keyOfNarrow(narrowOf(conversation));

/** Adds conversations, unless a newer message of them is known. */
export function addConversations(
  { byKey, nextBefore }: Conversations,
  { conversations }: Pick<ConversationPage, 'conversations'>,
  ownId: number,
): Conversations {
  const next = new Map(byKey);
  for (const { participants, is_participant: isOwn, last_message: newest } of conversations) {
    const conversation = conversationOfMessage(newest, ownId);
    const key = keyOfConversation(conversation);
    const known = next.get(key);
    if (!known || known.newest.id <= newest.id)
      next.set(key, { key, conversation, newest, participants, isOwn });
  }
  return { byKey: next, nextBefore };
}

/** The conversations after a new message. */
export function withMessage(list: Conversations, message: Message, ownId: number): Conversations {
  const known = list.byKey.get(keyOfConversation(conversationOfMessage(message, ownId)));
  const { sender_id: sender } = message;
  const others = known?.participants.filter((id) => id !== sender) ?? [];
  const participants = [sender, ...others].slice(0, MOST_PARTICIPANTS);
  const is_participant = sender === ownId || known?.isOwn === true;
  return addConversations(
    list,
    { conversations: [{ participants, is_participant, last_message: message }] },
    ownId,
  );
}

/** The conversations after the text of a message changed. */
export function withEdit(list: Conversations, event: UpdateEvent): Conversations {
  const { message_id: id, rendered_content: content } = event;
  const changed = [...list.byKey.values()].find(({ newest }) => newest.id === id);
  if (!changed || content === undefined) return list;
  const { is_me_message = changed.newest.is_me_message } = event;
  const newest = { ...changed.newest, content, is_me_message };
  return { ...list, byKey: new Map(list.byKey).set(changed.key, { ...changed, newest }) };
}

/** The conversations without the ones whose newest message is among these. */
export function withoutNewest(list: Conversations, ids: ReadonlySet<number>): Conversations {
  const kept = [...list.byKey].filter(([, { newest }]) => !ids.has(newest.id));
  return kept.length === list.byKey.size ? list : { ...list, byKey: new Map(kept) };
}

/** The conversations of loaded messages, for a client that could not fetch the list. */
export function conversationsOf(messages: Iterable<Message>, ownId: number): Conversations {
  const ordered = [...messages].sort((a, b) => a.id - b.id);
  return ordered.reduce((list, message) => withMessage(list, message, ownId), noConversations);
}

export type RecentKind = 'all' | 'unread' | 'own' | 'direct';

export interface RecentFilter {
  kind: RecentKind;
  withMuted: boolean;
  sort: 'active' | 'unread';
  /** Whether the conversation has the words of the text filter. */
  hasWords: (conversation: Conversation) => boolean;
}

/** A conversation with its number of unread messages. */
export interface RecentLine extends RecentConversation {
  count: number;
  isMentioned: boolean;
}

/** The rows of the list, in order. */
export function recentLines(
  { byKey }: Conversations,
  server: Snapshot,
  counts: UnreadCounts,
  { kind, withMuted, sort, hasWords }: RecentFilter,
): RecentLine[] {
  const subscribed = new Set(
    server.subscriptions.filter(({ is_archived }) => !is_archived).map(({ stream_id }) => stream_id),
  );
  const mutedPeople = new Set(server.muted_users.map(({ id }) => id));
  const isShown = ({ conversation, isOwn, count, isMentioned }: RecentLine): boolean =>
    (conversation.type === 'private' || subscribed.has(conversation.channelId)) &&
    (withMuted || !isMutedIn(conversation, server, mutedPeople) || (count > 0 && isMentioned)) &&
    (kind !== 'unread' || count > 0) &&
    (kind !== 'own' || isOwn) &&
    (kind !== 'direct' || conversation.type === 'private') &&
    hasWords(conversation);
  return [...byKey.values()]
    .map((entry) => ({ ...entry, ...unreadOf(entry.conversation, counts) }))
    .filter(isShown)
    .sort((a, b) => (sort === 'unread' ? b.count - a.count : 0) || b.newest.id - a.newest.id);
}

function isMutedIn(conversation: Conversation, server: Snapshot, mutedPeople: ReadonlySet<number>): boolean {
  if (conversation.type === 'private') return conversation.userIds.every((id) => mutedPeople.has(id));
  return isMuted(server, conversation.channelId, conversation.topic);
}

function unreadOf(conversation: Conversation, counts: UnreadCounts): { count: number; isMentioned: boolean } {
  if (conversation.type === 'private') {
    const people = [...conversation.userIds].sort((a, b) => a - b).join(',');
    const count = counts.byPeople.get(people) ?? 0;
    return { count, isMentioned: count > 0 };
  }
  const unread = counts.byChannel.get(conversation.channelId)?.topics.get(foldName(conversation.topic));
  return { count: unread?.count ?? 0, isMentioned: unread?.isMentioned ?? false };
}
