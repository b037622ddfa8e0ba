import { ascending, changeWhere, withoutWhere } from './lists.ts';
import { onServer, type Reducers } from './state.ts';
import type { Channel, Snapshot, Subscription } from './wire.ts';
import type { EventOf } from './wire-events.ts';

const LISTS = ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed'] as const;
type ListName = (typeof LISTS)[number];

/** Changes each record of some channels, in whichever list it is. */
function changeChannels(
  server: Snapshot,
  isMeant: (channel: Channel) => boolean,
  change: <Kind extends Channel>(channel: Kind) => Kind,
): Snapshot {
  let next = server;
  for (const name of LISTS) {
    const list: Channel[] | undefined = server[name];
    if (!list) continue;
    const changed = changeWhere(list, isMeant, change);
    if (changed !== list) next = { ...next, [name]: changed };
  }
  return next;
}

function remove(server: Snapshot, name: ListName, channelId: number): Snapshot {
  const list: Channel[] = server[name];
  const rest = withoutWhere(list, ({ stream_id }) => stream_id === channelId);
  return rest === list ? server : { ...server, [name]: rest };
}

function insert(server: Snapshot, name: ListName, record: Channel): Snapshot {
  const rest: Channel[] = (server[name] as Channel[]).filter(
    ({ stream_id }) => stream_id !== record.stream_id,
  );
  return { ...server, [name]: [...rest, record].sort((a, b) => a.stream_id - b.stream_id) };
}

function applySubscription(server: Snapshot, event: EventOf<'subscription'>): Snapshot {
  switch (event.op) {
    case 'add':
      return event.subscriptions.reduce(subscribe, server);
    case 'remove':
      return event.subscriptions.reduce((next, { stream_id }) => unsubscribe(next, stream_id), server);
    case 'update': {
      const subscriptions = changeWhere(
        server.subscriptions,
        ({ stream_id }) => stream_id === event.stream_id,
        (subscription) => ({ ...subscription, [event.property]: event.value }),
      );
      return { ...server, subscriptions };
    }
    case 'peer_add':
      return movePeers(server, event.stream_ids, event.user_ids, []);
    case 'peer_remove':
      return movePeers(server, event.stream_ids, [], event.user_ids);
  }
}

function movePeers(server: Snapshot, ids: number[], added: number[], removed: number[]): Snapshot {
  const channelIds = new Set(ids);
  return changeChannels(
    server,
    ({ stream_id }) => channelIds.has(stream_id),
    (channel) => changePeers(channel, added, removed),
  );
}

function subscribe(server: Snapshot, record: Subscription): Snapshot {
  const { stream_id: channelId, subscriber_count } = record;
  const rest = remove(remove(server, 'unsubscribed', channelId), 'never_subscribed', channelId);
  return changeChannels(
    insert(rest, 'subscriptions', record),
    ({ stream_id }) => stream_id === channelId,
    (channel) => ({ ...channel, subscriber_count }),
  );
}

function unsubscribe(server: Snapshot, channelId: number): Snapshot {
  const record = server.subscriptions.find(({ stream_id }) => stream_id === channelId);
  if (!record) return server;
  return changeChannels(
    insert(remove(server, 'subscriptions', channelId), 'unsubscribed', record),
    ({ stream_id }) => stream_id === channelId,
    (channel) => changePeers(channel, [], [server.user_id]),
  );
}

function changePeers<Kind extends Channel>(channel: Kind, added: number[], removed: number[]): Kind {
  if (!channel.subscribers)
    return { ...channel, subscriber_count: channel.subscriber_count + added.length - removed.length };
  const next = new Set([...channel.subscribers, ...added]);
  for (const userId of removed) next.delete(userId);
  return { ...channel, subscribers: [...next].sort(ascending), subscriber_count: next.size };
}

/** Fields of an update in addition to the changed property. */
const UPDATE_EXTRAS = ['rendered_description', 'history_public_to_subscribers', 'is_web_public'];

function applyChannel(server: Snapshot, event: EventOf<'stream'>): Snapshot {
  switch (event.op) {
    case 'create':
      return event.streams.reduce(create, server);
    case 'delete':
      return event.streams.reduce(
        (next, { stream_id }) =>
          LISTS.reduce((rest, name) => (rest[name] ? remove(rest, name, stream_id) : rest), next),
        server,
      );
    case 'update':
      return updateChannel(server, event);
  }
}

function create(server: Snapshot, record: Channel): Snapshot {
  const created = insert(server, 'streams', record);
  const isKnown = [...created.subscriptions, ...created.unsubscribed].some(
    ({ stream_id }) => stream_id === record.stream_id,
  );
  return isKnown ? created : insert(created, 'never_subscribed', { ...record, subscribers: [] });
}

function updateChannel(server: Snapshot, event: Extract<EventOf<'stream'>, { op: 'update' }>): Snapshot {
  const extras = Object.entries(event).filter(([name]) => UPDATE_EXTRAS.includes(name));
  const changes = { [event.property]: event.value, ...Object.fromEntries(extras) };
  const next = changeChannels(
    server,
    ({ stream_id }) => stream_id === event.stream_id,
    (channel) => ({ ...channel, ...changes }),
  );
  if (event.property !== 'name' || !server.muted_topics) return next;
  return { ...next, muted_topics: renameMuted(server.muted_topics, event.name, String(event.value)) };
}

/** The older form of topic preferences calls channels by their names. */
const renameMuted = (
  muted: [string, string, number][],
  before: string,
  after: string,
): [string, string, number][] => muted.map(([name, ...rest]) => [name === before ? after : name, ...rest]);

/** The channel's policy for messages without a topic; the organization's policy if the channel has none. */
export const topicsPolicyOf = (server: Snapshot, channel: Channel | undefined): string =>
  channel === undefined || channel.topics_policy === 'inherit'
    ? server.realm_topics_policy
    : channel.topics_policy;

function applyFolder(server: Snapshot, event: EventOf<'channel_folder'>): Snapshot {
  let folders = server.channel_folders;
  if (event.op === 'add') folders = [...folders, event.channel_folder];
  if (event.op === 'update')
    folders = changeWhere(
      folders,
      ({ id }) => id === event.channel_folder_id,
      (folder) => ({ ...folder, ...event.data }),
    );
  if (event.op === 'reorder')
    folders = folders.map((folder) => ({ ...folder, order: event.order.indexOf(folder.id) }));
  return { ...server, channel_folders: [...folders].sort((a, b) => a.order - b.order) };
}

export const channelReducers = {
  channel_folder: onServer(applyFolder),
  default_streams: onServer((server, event: { default_streams: number[] }) => ({
    ...server,
    realm_default_streams: [...event.default_streams].sort(ascending),
  })),
  stream: onServer(applyChannel),
  subscription: onServer(applySubscription),
} satisfies Partial<Reducers>;
