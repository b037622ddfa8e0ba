import { ascending, byFolded, byText } from './lists.ts';
import { foldName } from './names.ts';
import type { State } from './state.ts';
import { isMuted } from './topics.ts';
import type { Snapshot, Unread, UnreadTopic } from './wire.ts';

/** Where an unread message lies. */
export type Place =
  | { stream_id: number; topic: string }
  | { other_user_id: number }
  | { user_ids_string: string };

/** The place of a direct message among these people; their order and the viewer's own id do not matter. */
export function directPlace(ownId: number, userIds: number[]): Place {
  const others = userIds.filter((id) => id !== ownId);
  if (others.length < 2) return { other_user_id: others[0] ?? ownId };
  return { user_ids_string: [...others, ownId].sort(ascending).join(',') };
}

const byPlace = (a: UnreadTopic, b: UnreadTopic): number =>
  a.stream_id - b.stream_id || byFolded(a.topic, b.topic);

/** Adds ids at their place. A topic there keeps its spelling unless `renames` says that the ids bring the newest one. */
export function addUnread(unread: Unread, place: Place, ids: number[], renames: boolean): Unread {
  if ('stream_id' in place) {
    const key = foldName(place.topic);
    const streams = add(
      unread.streams,
      (topic) => topic.stream_id === place.stream_id && foldName(topic.topic) === key,
      { ...place, unread_message_ids: [] },
      ids,
      renames ? { topic: place.topic } : {},
    );
    return { ...unread, streams: streams.sort(byPlace) };
  }
  if ('other_user_id' in place) {
    const other = place.other_user_id;
    const empty = { other_user_id: other, sender_id: other, unread_message_ids: [] };
    const pms = add(unread.pms, (conversation) => conversation.other_user_id === other, empty, ids, {});
    return { ...unread, pms: pms.sort((a, b) => a.other_user_id - b.other_user_id) };
  }
  const key = place.user_ids_string;
  const empty = { user_ids_string: key, unread_message_ids: [] };
  const huddles = add(unread.huddles, (conversation) => conversation.user_ids_string === key, empty, ids, {});
  return { ...unread, huddles: huddles.sort((a, b) => byText(a.user_ids_string, b.user_ids_string)) };
}

function add<Entry extends { unread_message_ids: number[] }>(
  list: Entry[],
  isMeant: (entry: Entry) => boolean,
  empty: Entry,
  ids: number[],
  changes: Partial<Entry>,
): Entry[] {
  const found = list.find(isMeant);
  const base = found ?? empty;
  const all = [...new Set([...base.unread_message_ids, ...ids])].sort(ascending);
  const next = { ...base, ...changes, unread_message_ids: all };
  return found ? list.map((entry) => (entry === found ? next : entry)) : [...list, next];
}

/** The unread messages without those read or gone; the same object if nothing changes. */
export function removeUnread(unread: Unread, gone: ReadonlySet<number>): Unread {
  const streams = dropIds(unread.streams, gone);
  const pms = dropIds(unread.pms, gone);
  const huddles = dropIds(unread.huddles, gone);
  const isSame = streams === unread.streams && pms === unread.pms && huddles === unread.huddles;
  return isSame ? unread : { ...unread, streams, pms, huddles };
}

function dropIds<Entry extends { unread_message_ids: number[] }>(
  list: Entry[],
  gone: ReadonlySet<number>,
): Entry[] {
  const isGone = (id: number): boolean => gone.has(id);
  if (!list.some((entry) => entry.unread_message_ids.some(isGone))) return list;
  return list.flatMap((entry) => {
    const ids = entry.unread_message_ids.filter((id) => !gone.has(id));
    if (ids.length === entry.unread_message_ids.length) return [entry];
    return ids.length === 0 ? [] : [{ ...entry, unread_message_ids: ids }];
  });
}

/** The number that a client shows, and what of it calls on the reader: muted topics and channels do not count. */
export function recountUnread(state: State): State {
  const { server } = state;
  const { streams, pms, huddles } = server.unread_msgs;
  let count = 0;
  const mentions: number[] = [];
  const take = (ids: number[], isHeard: boolean): void => {
    if (isHeard) count += ids.length;
    if (state.calls.size === 0) return;
    for (const id of ids) {
      const call = state.calls.get(id);
      if (call && (isHeard || call !== 'wildcard')) mentions.push(id);
    }
  };
  for (const conversation of [...pms, ...huddles]) take(conversation.unread_message_ids, true);
  for (const topic of streams) take(topic.unread_message_ids, !isMuted(server, topic.stream_id, topic.topic));
  const unread_msgs: Snapshot['unread_msgs'] = {
    ...server.unread_msgs,
    count,
    mentions: mentions.sort(ascending),
  };
  return { ...state, server: { ...server, unread_msgs } };
}
