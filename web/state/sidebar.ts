import { t } from '#web/texts/texts.ts';
import { foldName } from './names.ts';
import { isMuted, POLICY, policyOf } from './topics.ts';
import type { Snapshot, Subscription } from './wire.ts';

/** Unread messages of a channel: counted ones, and those in muted topics. */
export interface ChannelUnread {
  heard: number;
  muted: number;
  mentions: number;
  /** Unread messages by topic, folded to lower case. */
  topics: Map<string, TopicUnread>;
}

export interface TopicUnread {
  name: string;
  count: number;
  isMentioned: boolean;
}

export interface UnreadCounts {
  total: number;
  mentions: number;
  byChannel: Map<number, ChannelUnread>;
  /** By the ids of the other people, ascending, with commas. */
  byPeople: Map<string, number>;
}

const cache = new WeakMap<Snapshot['unread_msgs'], UnreadCounts>();

/** The numbers of the channels that were computed last: what has not changed stays the same object. */
let lastByChannel: UnreadCounts['byChannel'] = new Map();

/** The numbers of the navigation, computed once for each unread state. */
export function unreadCounts(server: Snapshot): UnreadCounts {
  const known = cache.get(server.unread_msgs);
  if (known) return known;
  const { count, streams, pms, huddles, mentions } = server.unread_msgs;
  const mentioned = new Set(mentions);
  const byChannel = new Map<number, ChannelUnread>();
  for (const { stream_id: id, topic, unread_message_ids: ids } of streams) {
    const unread = byChannel.get(id) ?? { heard: 0, muted: 0, mentions: 0, topics: new Map() };
    const calls = ids.filter((message) => mentioned.has(message)).length;
    if (isMuted(server, id, topic)) unread.muted += ids.length;
    else unread.heard += ids.length;
    unread.mentions += calls;
    unread.topics.set(foldName(topic), { name: topic, count: ids.length, isMentioned: calls > 0 });
    byChannel.set(id, unread);
  }
  for (const [id, unread] of byChannel) byChannel.set(id, keepChannel(lastByChannel.get(id), unread));
  lastByChannel = byChannel;
  const byPeople = new Map<string, number>();
  for (const conversation of pms)
    byPeople.set(String(conversation.other_user_id), conversation.unread_message_ids.length);
  for (const { user_ids_string: all, unread_message_ids: ids } of huddles) {
    const others = all.split(',').filter((id) => Number(id) !== server.user_id);
    byPeople.set(others.join(','), ids.length);
  }
  const made = { total: count, mentions: mentions.length, byChannel, byPeople };
  cache.set(server.unread_msgs, made);
  return made;
}

/** The kinds of messages that the title and the icon may count, as the protocol numbers them. */
export const COUNTED = { all: 1, personalAndFollowed: 2, personal: 3, nothing: 4 } as const;

/** The number in the title and the icon, as the viewer wants it. */
export function countShown(server: Snapshot): number {
  const { unread_msgs: unread, user_settings: settings } = server;
  const policy = settings.desktop_icon_count_display;
  if (policy === COUNTED.nothing) return 0;
  if (policy === COUNTED.all) return unread.count;
  const isFollowed = (channelId: number, topic: string): boolean =>
    policyOf(server, channelId, topic) === POLICY.followed;
  const followed =
    policy === COUNTED.personalAndFollowed
      ? unread.streams.filter(({ stream_id, topic }) => isFollowed(stream_id, topic))
      : [];
  return countPersonal(unread, followed);
}

/** The number of unread messages that mention the viewer or are direct. */
export const countAboutViewer = ({ unread_msgs: unread }: Snapshot): number => countPersonal(unread, []);

type Unread = Snapshot['unread_msgs'];

function countPersonal(unread: Unread, others: Unread['streams']): number {
  const lists = [...unread.pms, ...unread.huddles, ...others].map((entry) => entry.unread_message_ids);
  // A direct message may be a mention too.
  return new Set([...unread.mentions, ...lists.flat()]).size;
}

function keepChannel(known: ChannelUnread | undefined, next: ChannelUnread): ChannelUnread {
  if (!known) return next;
  for (const [key, topic] of next.topics) {
    const before = known.topics.get(key);
    if (before && isSameTopic(before, topic)) next.topics.set(key, before);
  }
  const isSame =
    known.heard === next.heard &&
    known.mentions === next.mentions &&
    known.topics.size === next.topics.size &&
    [...next.topics].every(([key, topic]) => known.topics.get(key) === topic);
  return isSame ? known : next;
}

const isSameTopic = (a: TopicUnread, b: TopicUnread): boolean =>
  a.name === b.name && a.count === b.count && a.isMentioned === b.isMentioned;

export interface Section {
  key: string;
  title: string;
  channels: Subscription[];
}

/** The channels of the viewer in sections: pinned, folders in their order, the others; by name, the muted ones last. */
export function channelSections(server: Snapshot): Section[] {
  const live = server.subscriptions.filter(({ is_archived }) => !is_archived);
  const pinned = live.filter(({ pin_to_top }) => pin_to_top);
  const rest = live.filter(({ pin_to_top }) => !pin_to_top);
  const folders = server.channel_folders.filter(({ is_archived }) => !is_archived);
  const inFolder = (id: number | null) => rest.filter(({ folder_id }) => folder_id === id);
  const known = new Set(folders.map(({ id }) => id));
  const others = rest.filter(({ folder_id }) => folder_id === null || !known.has(folder_id));
  const sections = [
    { key: 'pinned', title: t('sidebar.pinned'), channels: pinned },
    ...folders.map(({ id, name }) => ({ key: `folder-${id}`, title: name, channels: inFolder(id) })),
  ].filter(({ channels }) => channels.length > 0);
  const title = sections.length > 0 ? t('sidebar.otherChannels') : t('sidebar.channels');
  return [...sections, ...(others.length > 0 ? [{ key: 'others', title, channels: others }] : [])].map(
    (section) => ({ ...section, channels: [...section.channels].sort(byMutedAndName) }),
  );
}

const collator = new Intl.Collator();

const byMutedAndName = (a: Subscription, b: Subscription): number =>
  Number(a.is_muted) - Number(b.is_muted) || collator.compare(a.name, b.name);

/** Direct conversations, the newest first; those with unread messages stay however old they are. */
export function directConversations(server: Snapshot, most: number): { userIds: number[]; unread: number }[] {
  const { byPeople } = unreadCounts(server);
  const keyOf = (ids: number[]): string => [...ids].sort((a, b) => a - b).join(',');
  const seen = new Set<string>();
  const all = [...server.recent_private_conversations]
    .sort((a, b) => Number(b.max_message_id) - Number(a.max_message_id))
    .map(({ user_ids }) => (user_ids.length > 0 ? user_ids : [server.user_id]))
    .map((userIds) => ({ userIds, key: keyOf(userIds) }));
  const missing = [...byPeople.keys()]
    .filter((key) => !all.some((conversation) => conversation.key === key))
    .map((key) => ({ userIds: key.split(',').map(Number), key }));
  return [...missing, ...all]
    .filter(({ key }) => !seen.has(key) && seen.add(key))
    .map(({ userIds, key }) => ({ userIds, unread: byPeople.get(key) ?? 0 }))
    .filter(({ unread }, index) => index < most || unread > 0);
}
