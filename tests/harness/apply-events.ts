import type { ReceivedEvent } from './client.ts';

// biome-ignore lint/suspicious/noExplicitAny: a snapshot is JSON of many shapes
export type SnapshotData = Record<string, any>;

/**
 * What a client does with the reply of register when events come: the state that it should then have. Written from
 * the protocol alone, so that it can judge the service.
 */
export function applyEvents(snapshot: SnapshotData, events: ReceivedEvent[]): SnapshotData {
  const state = structuredClone(snapshot);
  for (const event of events) apply(state, event);
  return state;
}

function apply(state: SnapshotData, event: ReceivedEvent): void {
  switch (event.type) {
    case 'message':
      applyMessage(state, event);
      break;
    case 'subscription':
      applySubscription(state, event);
      break;
    case 'stream':
      applyStream(state, event);
      break;
    case 'realm_user':
      applyUser(state, event);
      break;
    case 'scheduled_messages':
      applyScheduled(state, event);
      break;
    case 'update_message_flags':
      applyFlags(state, event);
      break;
    case 'default_streams':
      state.realm_default_streams = [...event.default_streams].sort(ascending);
      break;
    default:
      throw new Error(`No client knows what to do with ${event.type}`);
  }
}

const ascending = (a: number, b: number): number => a - b;

function applyMessage(state: SnapshotData, { message, flags }: ReceivedEvent): void {
  if (!flags.includes('historical')) state.max_message_id = message.id;
  if (message.type === 'private') rememberConversation(state, message);
  if (!flags.includes('read')) addUnread(state, message);
}

const channelLists = (state: SnapshotData): SnapshotData[][] => [
  state.streams,
  state.subscriptions,
  state.unsubscribed,
  state.never_subscribed,
];

function rememberConversation(
  state: SnapshotData,
  message: { id: number; display_recipient: { id: number }[] },
): void {
  const others = message.display_recipient.map(({ id }) => id).filter((id) => id !== state.user_id);
  const rest = state.recent_private_conversations.filter(
    ({ user_ids }: { user_ids: number[] }) => String(user_ids) !== String(others),
  );
  state.recent_private_conversations = [{ max_message_id: message.id, user_ids: others }, ...rest];
}

// biome-ignore lint/suspicious/noExplicitAny: a message is JSON of many shapes
function addUnread(state: SnapshotData, message: any): void {
  const unread = state.unread_msgs;
  if (message.type === 'stream') {
    const isSame = (one: SnapshotData) =>
      one.stream_id === message.stream_id && one.topic.toLowerCase() === message.subject.toLowerCase();
    const topic = unread.streams.find(isSame) ?? { stream_id: message.stream_id, unread_message_ids: [] };
    topic.topic = message.subject;
    if (!unread.streams.includes(topic)) unread.streams.push(topic);
    topic.unread_message_ids.push(message.id);
    unread.count++;
    unread.streams.sort(
      (a: SnapshotData, b: SnapshotData) =>
        a.stream_id - b.stream_id || (a.topic.toLowerCase() < b.topic.toLowerCase() ? -1 : 1),
    );
    return;
  }
  const ids: number[] = message.display_recipient.map(({ id }: { id: number }) => id);
  unread.count++;
  if (ids.length > 2) {
    const key = [...ids].sort(ascending).join(',');
    const isSame = (one: SnapshotData) => one.user_ids_string === key;
    const group = unread.huddles.find(isSame) ?? { user_ids_string: key, unread_message_ids: [] };
    if (!unread.huddles.includes(group)) unread.huddles.push(group);
    group.unread_message_ids.push(message.id);
    unread.huddles.sort((a: SnapshotData, b: SnapshotData) =>
      a.user_ids_string < b.user_ids_string ? -1 : 1,
    );
    return;
  }
  const other = ids.find((id) => id !== state.user_id) ?? state.user_id;
  const isSame = (one: SnapshotData) => one.other_user_id === other;
  const found = unread.pms.find(isSame);
  const conversation = found ?? { other_user_id: other, sender_id: other, unread_message_ids: [] };
  if (!found) unread.pms.push(conversation);
  conversation.unread_message_ids.push(message.id);
  unread.pms.sort((a: SnapshotData, b: SnapshotData) => a.other_user_id - b.other_user_id);
}

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

function applyStream(state: SnapshotData, event: ReceivedEvent): void {
  if (event.op === 'update') {
    for (const list of channelLists(state))
      for (const channel of list)
        if (channel.stream_id === event.stream_id) channel[event.property] = event.value;
    return;
  }
  for (const record of event.streams) {
    if (event.op === 'delete') {
      for (const list of channelLists(state)) remove(list, record.stream_id);
      state.unread_msgs.streams = state.unread_msgs.streams.filter(
        (topic: SnapshotData) => topic.stream_id !== record.stream_id,
      );
      continue;
    }
    insert(state.streams, record);
    const isKnown = [...state.subscriptions, ...state.unsubscribed].some(
      ({ stream_id }: SnapshotData) => stream_id === record.stream_id,
    );
    if (!isKnown) insert(state.never_subscribed, { ...record, subscribers: [] });
  }
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

function applyUser(state: SnapshotData, { person }: ReceivedEvent): void {
  state.realm_users = [...state.realm_users, person].sort((a, b) => a.user_id - b.user_id);
}

function applyScheduled(state: SnapshotData, event: ReceivedEvent): void {
  const id = event.scheduled_message_id ?? event.scheduled_message?.scheduled_message_id;
  const rest = state.scheduled_messages.filter((one: SnapshotData) => one.scheduled_message_id !== id);
  const added = event.scheduled_messages ?? (event.scheduled_message ? [event.scheduled_message] : []);
  state.scheduled_messages = [...rest, ...added].sort(
    (a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp,
  );
}

function applyFlags(state: SnapshotData, event: ReceivedEvent): void {
  const read = new Set<number>(event.messages);
  const unread = state.unread_msgs;
  for (const kind of ['pms', 'streams', 'huddles']) {
    for (const one of unread[kind])
      one.unread_message_ids = one.unread_message_ids.filter((id: number) => !read.has(id));
    unread[kind] = unread[kind].filter((one: SnapshotData) => one.unread_message_ids.length > 0);
  }
  const ids = [...unread.pms, ...unread.streams, ...unread.huddles].flatMap((one) => one.unread_message_ids);
  unread.count = ids.length;
}
