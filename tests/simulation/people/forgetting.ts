import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import type { ReceivedEvent } from './journal.ts';

export const CHANNEL_LISTS = ['subscriptions', 'unsubscribed', 'never_subscribed', 'streams'];

/** The messages that these events move or delete. */
export const changedBy = (events: ReceivedEvent[]): Set<number> =>
  new Set(
    events
      .filter(({ type }) => type === 'update_message' || type === 'delete_message')
      .flatMap(({ message_ids: ids, message_id: id }) => (ids as number[] | undefined) ?? [id]),
  );

/** A late queue gets a message in its changed state: its earlier place is not compared. */
export function forgetChanged(replayed: SnapshotData, other: SnapshotData, changed: Set<number>): void {
  if (changed.size === 0) return;
  for (const state of [replayed, other]) {
    const isKept = (id: number): boolean => !changed.has(id);
    const { streams, mentions } = structuredClone(state.unread_msgs);
    for (const one of streams) one.unread_message_ids = one.unread_message_ids.filter(isKept);
    const kept = streams.filter((one: SnapshotData) => one.unread_message_ids.length > 0);
    state.unread_msgs = { ...state.unread_msgs, count: 0, streams: kept, mentions: mentions.filter(isKept) };
    state.starred_messages = state.starred_messages.filter(isKept);
  }
  if (changed.has(other.max_message_id) || changed.has(replayed.max_message_id))
    replayed.max_message_id = other.max_message_id;
}

/** A client that lost a channel and finds it again does not know whether it was ever in it. */
export function forgetLosses(replayed: SnapshotData, other: SnapshotData): void {
  const found = new Set<number>(replayed.never_subscribed.map((one: SnapshotData) => one.stream_id));
  const known = new Set<number>(other.unsubscribed.map((one: SnapshotData) => one.stream_id));
  const isKept = ({ stream_id: id }: SnapshotData): boolean => !(found.has(id) && known.has(id));
  replayed.never_subscribed = replayed.never_subscribed.filter(isKept);
  other.unsubscribed = other.unsubscribed.filter(isKept);
}

/** The muted topics of a lost channel keep the name that it had then, for clients also when they find it again. */
export function forgetNames(replayed: SnapshotData, other: SnapshotData): void {
  const known = [replayed, other].map((snapshot) => {
    const names = CHANNEL_LISTS.flatMap((list) => snapshot[list] ?? []).map(({ name }) => name);
    return snapshot.muted_topics.map(([name]: [string]) => names.includes(name));
  });
  for (const snapshot of [replayed, other])
    snapshot.muted_topics = snapshot.muted_topics.map(([name, ...rest]: [string], index: number) =>
      known.every((isKnown) => isKnown[index]) ? [name, ...rest] : rest,
    );
}

/** A user who becomes visible comes in the state of the read, with the status, which may be ahead of the position. */
export function forgetNewcomers(events: ReceivedEvent[], ...snapshots: SnapshotData[]): void {
  const newcomers = events.filter(({ type, op }) => type === 'realm_user' && op === 'add');
  const ids = new Set(newcomers.map(({ person }) => person.user_id));
  for (const snapshot of snapshots) {
    snapshot.user_status = { ...snapshot.user_status };
    for (const id of ids) delete snapshot.user_status[id];
    for (const list of ['realm_users', 'realm_non_active_users'])
      snapshot[list] = snapshot[list].filter((one: SnapshotData) => !ids.has(one.user_id));
  }
}

/**
 * Reminders name the sender of their message as of the read, and no event repeats them after a new name, or when the
 * sender becomes unknown to a guest.
 */
export function forgetSenders(...snapshots: SnapshotData[]): void {
  for (const snapshot of snapshots)
    snapshot.reminders = snapshot.reminders.map((reminder: SnapshotData) => ({
      ...reminder,
      content: reminder.content.replace(/@_\*\*[^|]*\|/, '@_**|'),
      rendered_content: reminder.rendered_content.replace(SENDER, ''),
    }));
}
const SENDER = /<span class="user-mention silent" data-user-id="\d+">[^<]*<\/span>|@_<strong>[^<]*<\/strong>/;
