import { t } from '#web/texts/texts.ts';
import { holds } from './match.ts';
import type { Conversation } from './narrow.ts';
import { channelSections } from './sidebar.ts';
import { isMuted, POLICY, policyOf } from './topics.ts';
import type { Snapshot } from './wire.ts';

/** A conversation with unread messages. */
export interface InboxLine {
  key: string;
  conversation: Conversation;
  name: string;
  count: number;
  isMentioned: boolean;
  isFollowed: boolean;
  /** The newest unread message. */
  newestId: number;
}

export interface InboxGroup {
  key: string;
  /** The channel; absent for direct messages. */
  channelId?: number;
  title: string;
  color?: string;
  isMuted: boolean;
  count: number;
  lines: InboxLine[];
}

export type InboxKind = 'all' | 'mentions' | 'direct' | 'following';

export interface InboxFilter {
  kind: InboxKind;
  text: string;
}

/** Names to display for places that no message names. */
export interface InboxNames {
  people: (ids: readonly number[]) => string;
  topic: (topic: string) => string;
}

/** Unread conversations: people first, then channels in the order of the navigation, the muted ones last. */
export function inboxGroups(server: Snapshot, filter: InboxFilter, names: InboxNames): InboxGroup[] {
  const mentions = new Set(server.unread_msgs.mentions);
  const isWanted = (line: InboxLine): boolean =>
    (filter.kind === 'all' ||
      (filter.kind === 'mentions' && line.isMentioned) ||
      (filter.kind === 'direct' && line.conversation.type === 'private') ||
      (filter.kind === 'following' && line.isFollowed)) &&
    (filter.text.trim() === '' || holds(line.name, filter.text));
  const groups = [directGroup(server, names), ...channelGroups(server, mentions, names)];
  return groups
    .map((group) => {
      const matchesTitle = filter.text.trim() !== '' && holds(group.title, filter.text);
      const lines = group.lines.filter(
        (line) => isWanted(line) || (matchesTitle && isWanted({ ...line, name: filter.text })),
      );
      return { ...group, lines, count: lines.reduce((sum, { count }) => sum + count, 0) };
    })
    .filter(({ lines }) => lines.length > 0);
}

function directGroup({ unread_msgs: unread, user_id: ownId }: Snapshot, names: InboxNames): InboxGroup {
  const all = [
    ...unread.pms.map(({ other_user_id, unread_message_ids }) => ({
      ids: [other_user_id],
      unread_message_ids,
    })),
    ...unread.huddles.map(({ user_ids_string, unread_message_ids }) => ({
      ids: user_ids_string
        .split(',')
        .map(Number)
        .filter((id) => id !== ownId),
      unread_message_ids,
    })),
  ];
  const lines = all.map(({ ids, unread_message_ids }) => ({
    key: `d${ids.join()}`,
    conversation: { type: 'private' as const, userIds: ids },
    name: names.people(ids),
    count: unread_message_ids.length,
    isMentioned: true,
    isFollowed: false,
    newestId: Math.max(...unread_message_ids),
  }));
  lines.sort((a, b) => b.newestId - a.newestId);
  return { key: 'direct', title: t('inbox.directMessages'), isMuted: false, count: 0, lines };
}

function channelGroups(server: Snapshot, mentions: ReadonlySet<number>, names: InboxNames): InboxGroup[] {
  const byChannel = new Map<number, InboxLine[]>();
  for (const { stream_id: channelId, topic, unread_message_ids: ids } of server.unread_msgs.streams) {
    const isCalled = ids.some((id) => mentions.has(id));
    if (isMuted(server, channelId, topic) && !isCalled && !isChannelMuted(server, channelId)) continue;
    const line: InboxLine = {
      key: `t${channelId} ${topic}`,
      conversation: { type: 'stream', channelId, topic },
      name: names.topic(topic),
      count: ids.length,
      isMentioned: isCalled,
      isFollowed: policyOf(server, channelId, topic) === POLICY.followed,
      newestId: Math.max(...ids),
    };
    byChannel.set(channelId, [...(byChannel.get(channelId) ?? []), line]);
  }
  const order = channelSections(server).flatMap(({ channels }) => channels);
  return order
    .toSorted((a, b) => Number(a.is_muted) - Number(b.is_muted))
    .flatMap(({ stream_id: channelId, name: title, color, is_muted }): InboxGroup[] => {
      const lines = byChannel.get(channelId);
      if (!lines) return [];
      lines.sort((a, b) => b.newestId - a.newestId);
      return [{ key: `c${channelId}`, channelId, title, color, isMuted: is_muted, count: 0, lines }];
    });
}

const isChannelMuted = (server: Snapshot, channelId: number): boolean =>
  server.subscriptions.some(({ stream_id, is_muted }) => stream_id === channelId && is_muted);
