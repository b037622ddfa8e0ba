import { ascending } from './lists.ts';
import { isSameName } from './names.ts';
import type { Call, Reducers, State } from './state.ts';
import { addUnread, directPlace, type Place, removeUnread } from './unread.ts';
import type { Snapshot } from './wire.ts';
import type { DeletionEvent, EventOf, MessageEvent, UpdateEvent } from './wire-events.ts';
import type { Message, Recipient } from './wire-messages.ts';

function applyMessage(state: State, { message, flags }: MessageEvent): State {
  let { server } = state;
  if (!flags.includes('historical')) server = { ...server, max_message_id: message.id };
  const place = placeOf(server.user_id, message);
  if (message.type === 'private') server = rememberConversation(server, message);
  if (!flags.includes('read'))
    server = { ...server, unread_msgs: addUnread(server.unread_msgs, place, [message.id], true) };
  return { server, calls: noteCall(state.calls, message.id, flags) };
}

/** The conversation of a message. */
export function placeOf(ownId: number, message: Message): Place {
  if (message.type === 'stream') return { stream_id: message.stream_id as number, topic: message.subject };
  return directPlace(ownId, recipientIds(message));
}

/** The people of a direct message, the viewer among them. */
export const recipientIds = ({ display_recipient: people }: Message): number[] =>
  typeof people === 'string' ? [] : people.map(({ id }: Recipient) => id);

function rememberConversation(server: Snapshot, message: Message): Snapshot {
  const others = recipientIds(message).filter((id) => id !== server.user_id);
  const rest = server.recent_private_conversations.filter(
    ({ user_ids }) => String(user_ids) !== String(others),
  );
  return {
    ...server,
    recent_private_conversations: [{ max_message_id: message.id, user_ids: others }, ...rest],
  };
}

type Calls = State['calls'];

/** A message came or changed, with these flags. */
function noteCall(calls: Calls, id: number, flags: string[]): Calls {
  if (flags.includes('mentioned')) return withCall(calls, id, 'name');
  if (flags.some((flag) => flag.endsWith('wildcard_mentioned'))) return withCall(calls, id, 'wildcard');
  return withCall(calls, id, undefined);
}

function withCall(calls: Calls, id: number, call: Call | undefined): Calls {
  if (calls.get(id) === call) return calls;
  const next = new Map(calls);
  if (call) next.set(id, call);
  else next.delete(id);
  return next;
}

/** The reader's messages gained or lost a flag. Messages that become unread again come with their place. */
function applyFlags(state: State, event: EventOf<'update_message_flags'>): State {
  const { server } = state;
  if (event.flag === 'starred') {
    const others = server.starred_messages.filter((id) => !event.messages.includes(id));
    const starred = [...others, ...(event.op === 'add' ? event.messages : [])].sort(ascending);
    return { ...state, server: { ...server, starred_messages: starred } };
  }
  if (event.flag !== 'read') return state;
  let unread = removeUnread(server.unread_msgs, new Set(event.messages));
  let { calls } = state;
  if (event.op === 'remove')
    for (const id of event.messages) {
      const details = event.message_details?.[String(id)];
      if (!details) continue;
      const place =
        details.type === 'stream'
          ? { stream_id: details.stream_id, topic: String(details.topic) }
          : directPlace(server.user_id, details.user_ids);
      unread = addUnread(unread, place, [id], false);
      calls = noteCounted(calls, id, details.mentioned ?? false);
    }
  return { server: { ...server, unread_msgs: unread }, calls };
}

/** A message became unread, and the service says whether it counts. */
function noteCounted(calls: Calls, id: number, isCounted: boolean): Calls {
  if (!isCounted) return withCall(calls, id, undefined);
  return calls.has(id) ? calls : withCall(calls, id, 'counted');
}

/** Messages that were unread before they moved are unread at their new place. */
function applyUpdate(state: State, event: UpdateEvent): State {
  const calls = noteCall(state.calls, event.message_id, event.flags);
  let { server } = state;
  const place = movedTo(event);
  if (!place) return calls === state.calls ? state : { ...state, calls };
  const moved = new Set(event.message_ids);
  // What came to a channel in which the viewer was not is none of the viewer's messages any more.
  if (event.new_stream_id !== undefined && typeof server.max_message_id === 'number')
    if (moved.has(server.max_message_id)) server = { ...server, max_message_id: 'unknown' };
  const ids = server.unread_msgs.streams.flatMap((topic) =>
    topic.unread_message_ids.filter((id) => moved.has(id)),
  );
  if (ids.length > 0) server = { ...server, unread_msgs: putUnread(server, place, ids) };
  return { server, calls };
}

/** The new place of moved messages; undefined if the update moved none. */
export function movedTo(event: UpdateEvent): { stream_id: number; topic: string } | undefined {
  if (event.orig_subject === undefined) return undefined;
  return {
    stream_id: (event.new_stream_id ?? event.stream_id) as number,
    topic: event.subject ?? event.orig_subject,
  };
}

/** A topic is spelled as in its newest message. */
function putUnread(
  { unread_msgs }: Snapshot,
  place: { stream_id: number; topic: string },
  ids: number[],
): Snapshot['unread_msgs'] {
  const rest = removeUnread(unread_msgs, new Set(ids));
  const there = rest.streams.find(
    (topic) => topic.stream_id === place.stream_id && isSameName(topic.topic, place.topic),
  );
  const newest = Math.max(...ids, ...(there?.unread_message_ids ?? []));
  return addUnread(rest, place, ids, ids.includes(newest));
}

export const deletedIds = (event: DeletionEvent): number[] =>
  event.message_ids ?? (event.message_id === undefined ? [] : [event.message_id]);

/**
 * Deleted messages are no longer unread. The event does not say which message is now the newest, overall or
 * in a conversation, so the client forgets that.
 */
function applyDeletion(state: State, event: DeletionEvent): State {
  const gone = new Set(deletedIds(event));
  const isGone = (id: number | 'unknown'): boolean => id !== 'unknown' && gone.has(id);
  const { server } = state;
  const { recent_private_conversations: recent } = server;
  return {
    ...state,
    server: {
      ...server,
      unread_msgs: removeUnread(server.unread_msgs, gone),
      starred_messages: server.starred_messages.filter((id) => !gone.has(id)),
      ...(recent && {
        recent_private_conversations: recent.map((conversation) =>
          isGone(conversation.max_message_id)
            ? { ...conversation, max_message_id: 'unknown' as const }
            : conversation,
        ),
      }),
      max_message_id: isGone(server.max_message_id) ? 'unknown' : server.max_message_id,
    },
  };
}

const nothing = (state: State): State => state;

export const messageReducers = {
  message: applyMessage,
  update_message_flags: applyFlags,
  update_message: applyUpdate,
  delete_message: applyDeletion,
  // These are stored next to messages, and register contains none of them.
  reaction: nothing,
  submessage: nothing,
  // Typing is forgotten after seconds; register does not contain it.
  typing: nothing,
  typing_edit_message: nothing,
} satisfies Partial<Reducers>;
