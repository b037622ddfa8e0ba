import type { GroupSetting } from '#shared/domain/user-groups/group-setting.ts';
import { roles } from '#shared/domain/users/user.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import type { AnyPayload } from '#tests/harness/any-event.ts';
import type { Wishes } from './journal.ts';
import type { AddressCard, Society } from './society.ts';

/** The users that an event is about or for: the owner of a queue, after the entry. */
export interface Hearer {
  userId: number;
  wishes: Wishes;
  society: Society;
}

const can = ({ wishes }: Hearer, capability: string): boolean => wishes.capabilities?.[capability] ?? false;
const nameOf = ({ type, op }: AnyPayload): string => (op === undefined ? type : `${type}/${op}`);
type Person = { user_id: number };
interface ChannelCard {
  stream_id: number;
  invite_only: boolean;
  is_web_public: boolean;
  can_add_subscribers_group: GroupSetting;
  can_administer_channel_group: GroupSetting;
  can_subscribe_group: GroupSetting;
}

/** By type, the events of the protocol, if they differ from the one of the log. */
const special: Record<string, (payload: AnyPayload, hearer: Hearer) => string[]> = {
  key_ended: () => [],
  session_ended: () => [],
  muted_topics: (payload, { wishes }) => (wishes.eventTypes?.includes('user_topic') ? [] : [nameOf(payload)]),
  presence: (payload, hearer) => ifSeen(payload.user_id, payload, hearer),
  queue_removed: () => [],
  realm_emoji: (payload, hearer) => [
    can(hearer, 'individual_emoji_changes') ? nameOf(payload) : 'realm_emoji/update',
  ],
  realm_linkifiers: (payload, hearer) => (can(hearer, 'linkifier_url_template') ? [nameOf(payload)] : []),
  realm_user: tellUser,
  stream: (payload, hearer) => {
    const { revealed, concealed } = payload as { revealed?: number[]; concealed?: number[] };
    if (revealed) return tellOfRevealed(revealed, hearer);
    if (concealed) return isOutsideOne(concealed, hearer) ? ['stream/delete'] : [];
    const isArchival = payload.op === 'update' && payload.property === 'is_archived';
    return isArchival && !can(hearer, 'archived_channels') && payload.value
      ? ['stream/delete']
      : [nameOf(payload)];
  },
  subscription: (payload, hearer) => {
    if (payload.op !== 'add') return [nameOf(payload)];
    const archived = new Set(
      (payload.channels as { stream_id: number; is_archived: boolean }[])
        .filter((one) => one.is_archived && !can(hearer, 'archived_channels'))
        .map(({ stream_id: id }) => id),
    );
    const gained = (payload.rows as [number, number][])
      .filter(([userId, channelId]) => userId === hearer.userId && !archived.has(channelId))
      .map(([, channelId]) => channelId);
    if (gained.length === 0) return [];
    const created = (payload.created ?? []) as number[];
    const strange = (payload.channels as ChannelCard[]).filter(
      (channel) =>
        gained.includes(channel.stream_id) &&
        !created.includes(channel.stream_id) &&
        !isOpen(channel, hearer),
    );
    return [...strange.map(() => 'stream/create'), 'subscription/add'];
  },
  typing: (payload, hearer) => {
    const isHidden = payload.message_type === 'stream' && !can(hearer, 'stream_typing_notifications');
    return isHidden ? [] : ifTypingSeen((payload.sender as Person).user_id, payload, hearer);
  },
  typing_edit_message: (payload, hearer) => {
    const isOfChannel = (payload.recipient as { type: string }).type === 'channel';
    const isHidden = isOfChannel && !can(hearer, 'stream_typing_notifications');
    return isHidden ? [] : ifTypingSeen(payload.sender_id, payload, hearer);
  },
  user_group: (payload, hearer) => {
    const { isDeactivated, group } = (payload.beside ?? {}) as { isDeactivated?: boolean; group?: object };
    if (can(hearer, 'include_deactivated_groups')) return [nameOf(payload)];
    if (isDeactivated) return [];
    if (group) return ['user_group/add'];
    return [
      (payload.data as { deactivated?: boolean } | undefined)?.deactivated
        ? 'user_group/remove'
        : nameOf(payload),
    ];
  },
  user_status: (payload, hearer) => ifSeen(payload.user_id, payload, hearer),
};

/** Whether the hearer may know of a channel without being in it. */
const isOpen = (channel: ChannelCard, { society, userId }: Hearer): boolean => {
  const { can_add_subscribers_group: adders, can_administer_channel_group: administrators } = channel;
  return society.isWithin(
    {
      isPublic: !channel.invite_only,
      isWebPublic: channel.is_web_public,
      knownToMembersOf: channel.invite_only ? [adders, administrators] : [],
      knownToAllOf: [channel.can_subscribe_group],
    },
    userId,
  );
};

function tellOfRevealed(channelIds: number[], { society: { membership }, userId }: Hearer): string[] {
  const shown = channelIds.filter((channelId) => !membership.has(userId, channelId));
  const peopled = shown.filter((channelId) => membership.isPeopled(channelId));
  return shown.length === 0 ? [] : ['stream/create', ...peopled.map(() => 'subscription/peer_add')];
}

const isOutsideOne = (channelIds: number[], { society: { membership }, userId }: Hearer): boolean =>
  channelIds.some((channelId) => !membership.has(userId, channelId));

const ifSeen = (userId: unknown, payload: AnyPayload, { society, userId: viewerId }: Hearer): string[] =>
  society.sees(viewerId, Number(userId)) ? [nameOf(payload)] : [];

const ifTypingSeen = (userId: unknown, payload: AnyPayload, hearer: Hearer): string[] =>
  hearer.society.wantsTyping(hearer.userId) ? ifSeen(userId, payload, hearer) : [];

/** The events, as `type` or `type/op`, that one of the log becomes for a recipient in its audience. */
export function namesSeenBy({ payload, isOfArchived }: LogEvent, hearer: Hearer): string[] {
  if (isOfArchived && !can(hearer, 'archived_channels')) return [];
  return special[payload.type]?.(payload, hearer) ?? [nameOf(payload)];
}

function tellUser(payload: AnyPayload, hearer: Hearer): string[] {
  const { society, userId: viewerId } = hearer;
  if (payload.op === 'add') {
    const { userId } = payload.user as { userId: number };
    return society.sees(viewerId, userId) || !can(hearer, 'user_list_incomplete') ? ['realm_user/add'] : [];
  }
  const { user_id: userId } = payload.person as Person;
  if (!society.sees(viewerId, userId)) return [];
  if (!payload.after) return ['realm_user/update'];
  const [before, after] = [payload.before as AddressCard, payload.after as AddressCard];
  const shownTo = (card: AddressCard): string | null => (mayKnow(card, userId, hearer) ? card.email : null);
  const changes = [
    shownTo(before) !== shownTo(after),
    (before.dummyEmail ?? before.email) !== (after.dummyEmail ?? after.email),
    pictureOf(before) !== pictureOf(after),
  ];
  return changes.filter((isChanged) => isChanged).map(() => 'realm_user/update');
}

/** A picture of one's own, or the one that goes with the address, whose letters may be large or small. */
const pictureOf = ({ avatarVersion, avatarPicture, email, dummyEmail }: AddressCard): string =>
  JSON.stringify([avatarVersion, avatarPicture ?? (dummyEmail ?? email).toLowerCase()]);

/** The numbers of the protocol: everyone, members, administrators, no user, moderators. */
const LEAST_ROLE_OF_VISIBILITY: Record<number, number> = {
  1: roles.guest,
  2: roles.member,
  3: roles.administrator,
  4: 0,
  5: roles.moderator,
};

const mayKnow = (
  { emailVisibility = 1 }: AddressCard,
  userId: number,
  { society, userId: viewerId }: Hearer,
) => userId === viewerId || society.roleOf(viewerId) <= (LEAST_ROLE_OF_VISIBILITY[emailVisibility] ?? 0);
