import type { ReceivedEvent } from '../client.ts';
import { type Apply, ascending, type SnapshotData } from './snapshot-data.ts';

const channelLists = (state: SnapshotData): SnapshotData[][] => [
  state.streams,
  state.subscriptions,
  state.unsubscribed,
  state.never_subscribed,
];

function applySubscription(state: SnapshotData, event: ReceivedEvent): void {
  if (event.op === 'add') {
    for (const record of event.subscriptions) {
      remove(state.unsubscribed, record.stream_id);
      remove(state.never_subscribed, record.stream_id);
      insert(state.subscriptions, record);
      for (const list of channelLists(state)) setCount(list, record.stream_id, record.subscriber_count);
    }
    return;
  }
  if (event.op === 'update') {
    for (const record of state.subscriptions)
      if (record.stream_id === event.stream_id) record[event.property] = event.value;
    if (event.property === 'is_muted') recountUnread(state);
    return;
  }
  if (event.op === 'remove') {
    for (const { stream_id } of event.subscriptions) {
      const record = remove(state.subscriptions, stream_id);
      if (!record) continue;
      insert(state.unsubscribed, record);
      for (const list of channelLists(state)) changePeers(list, stream_id, [], [state.user_id]);
    }
    return;
  }
  const [added, removed] = event.op === 'peer_add' ? [event.user_ids, []] : [[], event.user_ids];
  for (const channelId of event.stream_ids)
    for (const list of channelLists(state)) changePeers(list, channelId, added, removed);
}

/** Unread messages of muted channels do not count. */
export function recountUnread(state: SnapshotData): void {
  const unread = state.unread_msgs;
  const muted = new Set(
    state.subscriptions.filter((one: SnapshotData) => one.is_muted).map((one: SnapshotData) => one.stream_id),
  );
  const counted = unread.streams.filter((one: SnapshotData) => !muted.has(one.stream_id));
  const all: SnapshotData[] = [...unread.pms, ...counted, ...unread.huddles];
  unread.count = all.flatMap((one) => one.unread_message_ids).length;
}

/** What stands in an update beside the property that it is about. */
const UPDATE_EXTRAS = ['rendered_description', 'history_public_to_subscribers', 'is_web_public'];

function applyStream(state: SnapshotData, event: ReceivedEvent): void {
  if (event.op === 'update') {
    if (event.property === 'name') renameMutedTopics(state, event.name, event.value);
    for (const list of channelLists(state))
      for (const channel of list)
        if (channel.stream_id === event.stream_id) {
          channel[event.property] = event.value;
          for (const extra of UPDATE_EXTRAS) if (extra in event) channel[extra] = event[extra];
        }
    return;
  }
  for (const record of event.streams) {
    if (event.op === 'delete') {
      for (const list of channelLists(state)) remove(list, record.stream_id);
      continue;
    }
    insert(state.streams, record);
    const isKnown = [...state.subscriptions, ...state.unsubscribed].some(
      ({ stream_id }: SnapshotData) => stream_id === record.stream_id,
    );
    if (!isKnown) insert(state.never_subscribed, { ...record, subscribers: [] });
  }
}

/** The older form of topic preferences calls channels by their names. */
function renameMutedTopics(state: SnapshotData, before: string, after: string): void {
  for (const muted of state.muted_topics ?? []) if (muted[0] === before) muted[0] = after;
}

function remove(list: SnapshotData[], channelId: number): SnapshotData | undefined {
  const index = list.findIndex(({ stream_id }) => stream_id === channelId);
  return index < 0 ? undefined : list.splice(index, 1)[0];
}

function insert(list: SnapshotData[], record: SnapshotData): void {
  remove(list, record.stream_id);
  list.push({ ...record });
  list.sort((a, b) => a.stream_id - b.stream_id);
}

function setCount(list: SnapshotData[], channelId: number, count: number): void {
  for (const channel of list) if (channel.stream_id === channelId) channel.subscriber_count = count;
}

function changePeers(list: SnapshotData[], channelId: number, added: number[], removed: number[]): void {
  for (const channel of list) {
    if (channel.stream_id !== channelId) continue;
    if (!channel.subscribers) {
      channel.subscriber_count += added.length - removed.length;
      continue;
    }
    const next = new Set<number>([...channel.subscribers, ...added]);
    for (const userId of removed) next.delete(userId);
    channel.subscribers = [...next].sort(ascending);
    channel.subscriber_count = next.size;
  }
}

function applyFolder(state: SnapshotData, event: ReceivedEvent): void {
  const folders: SnapshotData[] = state.channel_folders;
  if (event.op === 'add') folders.push(event.channel_folder);
  if (event.op === 'update')
    Object.assign(folders.find(({ id }) => id === event.channel_folder_id) ?? {}, event.data);
  if (event.op === 'reorder') for (const folder of folders) folder.order = event.order.indexOf(folder.id);
  folders.sort((a, b) => a.order - b.order);
}

export const channelEvents: Record<string, Apply> = {
  channel_folder: applyFolder,
  default_stream_groups: (state, event) => {
    state.realm_default_stream_groups = event.default_stream_groups;
  },
  default_streams: (state, event) => {
    state.realm_default_streams = [...event.default_streams].sort(ascending);
  },
  stream: applyStream,
  subscription: applySubscription,
};
