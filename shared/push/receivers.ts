import { hasReceived, isUnread, onlySubscription } from '#shared/domain/messages/access.ts';
import { type Mentions, mentionFlagsOf, type RecipientSets } from '#shared/domain/messages/mentions.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { presenceOf, seenIn } from '#shared/domain/presence/changes.ts';
import { type ActiveDevice, listActive } from '#shared/domain/push/device.ts';
import { isIdle } from '#shared/domain/push/idle.ts';
import {
  dependsOnPresence,
  isOfMention,
  isSpared,
  type PushWishes,
  triggerOf,
} from '#shared/domain/push/trigger.ts';
import { type ChosenSettings, effectiveSettings } from '#shared/domain/settings/user-settings.ts';
import type { Subscription } from '#shared/domain/subscriptions/subscription.ts';
import type { TopicPreference } from '#shared/domain/topics/preference.ts';
import { toTopicPolicies } from '#shared/domain/topics/visibility.ts';
import type { MutedUsers } from '#shared/domain/users/muted-users.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Reading, Vanishing } from '#shared/log/readings.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import type { Services } from '#shared/runtime/services.ts';
import { openRecipientSets } from '#shared/store/messages/recipient-sets.ts';
import { toPushDevices } from '#shared/store/push/push-devices.ts';
import { loadMarkBlocks, openMarks } from '#shared/store/reading/read-state.ts';
import { asSeenBy } from '#shared/store/users/identities.ts';
import { toUser } from '#shared/store/users/users.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { type Key, memberChunkOf, presenceChunkOf } from '#shared/table/keys/key.ts';
import { markBlockOf } from '#shared/table/keys/log.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { type Item, recordOf, type Table } from '#shared/table/table.ts';

/** A message that a user may have to be notified of. */
interface Chance {
  userId: number;
  message: Message;
  /** Its earlier mentions, if an edit changed them. */
  before?: Mentions;
}

/** A message to notify a user of. */
export interface Push extends Chance {
  devices: ActiveDevice[];
  /** Messages for which their devices show a notification. */
  pushedIds: Set<number>;
}

/**
 * Which users with devices to notify of which messages. Examines these users, not all recipients: three small
 * items of each for a channel message, and more only for those whose preferences may match.
 */
export async function listPushes(
  services: Services,
  messages: Tellable[],
  pushUserIds: Set<number>,
): Promise<Push[]> {
  const { table } = services;
  const chances = await listChances(table, messages, pushUserIds);
  const recipientSets = await openRecipientSets(
    table,
    messages.flatMap(({ message, before }) => [message, ...(before ? [{ mentions: before }] : [])]),
  );
  const items = await loadItems(table, chances.flatMap(wishKeys), { eventually: true });
  const wishes = { items, recipientSets };
  const wanted = chances.filter((chance) => isWanted(chance, wishes));
  const byUser = [...Map.groupBy(wanted, ({ userId }) => userId)];
  const people = await loadItems(
    table,
    byUser.flatMap(([userId, own]) => [
      ...personKeys(userId),
      ...(own.some((chance) => dependsOnPresence(readWishes(wishes, chance))) ? [presenceKey(userId)] : []),
    ]),
  );
  const pushes = await mapConcurrently(byUser, ([userId, own]) =>
    choosePushes(services, people.get, { userId, own, wishes }),
  );
  return pushes.flat();
}

/** Users with devices who lose access to messages; their devices treat these as read. */
export async function lossesOf(
  table: Table,
  vanishings: Vanishing[],
  pushUserIds: Set<number>,
): Promise<Reading[]> {
  const channelIds = vanishings.flatMap(({ channelId, butNotFrom }) => [channelId, butNotFrom]);
  const isMember = await learnMembers(
    table,
    channelIds.filter((id) => id !== undefined),
    pushUserIds,
  );
  return vanishings.flatMap(({ messageIds, userIds, channelId, butNotFrom }) => {
    const concerned = [...pushUserIds].filter((userId) =>
      userIds
        ? userIds.includes(userId)
        : isMember(channelId ?? 0, userId) && !(butNotFrom !== undefined && isMember(butNotFrom, userId)),
    );
    return concerned.map((userId) => ({ userId, isRead: (id: number) => messageIds.has(id) }));
  });
}

/** Which users are subscribed to which channels. */
async function learnMembers(
  table: Table,
  channelIds: number[],
  userIds: Set<number>,
): Promise<(channelId: number, userId: number) => boolean> {
  const chunks = [...new Set([...userIds].map(memberChunkOf))];
  const members = await loadItems(
    table,
    [...new Set(channelIds)].flatMap((channelId) =>
      chunks.map((chunk) => channelKeys.subscribers(channelId, chunk)),
    ),
  );
  return (channelId, userId) => {
    const chunk = members.get(channelKeys.subscribers(channelId, memberChunkOf(userId)));
    return (chunk?.userIds as Set<number> | undefined)?.has(userId) ?? false;
  };
}

/** A new message, or one with new mentions after an edit. */
export type Tellable = Omit<Chance, 'userId'>;

/** Users with an earlier mention have been notified. */
function isWanted(chance: Chance, wishes: Wishes): boolean {
  const { userId, message, before } = chance;
  const trigger = triggerOf(message, readWishes(wishes, chance));
  if (!before) return trigger !== undefined;
  return (
    isOfMention(trigger) && mentionFlagsOf(userId, { mentions: before }, wishes.recipientSets).length === 0
  );
}

async function listChances(table: Table, messages: Tellable[], userIds: Set<number>): Promise<Chance[]> {
  const channelIds = messages.flatMap(({ message }) =>
    message.kind === 'channel' ? [message.channelId] : [],
  );
  const isMember = await learnMembers(table, channelIds, userIds);
  return messages.flatMap(({ message, before }) =>
    (message.kind === 'direct'
      ? message.recipients.map(({ id }) => id).filter((id) => userIds.has(id))
      : [...userIds].filter((id) => isMember(message.channelId, id))
    )
      .filter((id) => id !== message.senderId)
      .map((userId) => ({ userId, message, ...(before && { before }) })),
  );
}

function wishKeys({ userId, message }: Chance): Key[] {
  const settings = userKeys.settings(userId);
  if (message.kind === 'direct') return [settings];
  const { channelId, topic } = message;
  return [
    settings,
    channelKeys.subscription(userId, channelId),
    channelKeys.topicPreference(userId, channelId, toCanonical(topic)),
  ];
}

/** The loaded preferences of users. */
interface Wishes {
  items: Items;
  recipientSets: RecipientSets;
}

function readWishes({ items, recipientSets }: Wishes, chance: Chance): PushWishes {
  const { userId, message } = chance;
  const [settings, subscription, preference] = wishKeys(chance).map(items.get);
  return {
    settings: toSettings({ timezone: '' }, settings),
    subscription: subscription as Subscription | undefined,
    policies: toTopicPolicies(preference ? [recordOf<TopicPreference>(preference)] : []),
    flags: mentionFlagsOf(userId, message, recipientSets),
  };
}

const toSettings = (user: Pick<User, 'timezone'>, item: Item | undefined) =>
  effectiveSettings(user, { values: {}, revision: 0, ...(item as Partial<ChosenSettings> | undefined) });

const personKeys = (userId: number): Key[] => [
  userKeys.user(userId),
  userKeys.mutedUsers(userId),
  userKeys.pushDevices(userId),
  userKeys.pushedMessages(userId),
];

const presenceKey = (userId: number): Key => userKeys.presences(presenceChunkOf(userId));

/** The messages to notify a user of now, among the messages that their preferences match. */
async function choosePushes(
  services: Services,
  find: Items['get'],
  { userId, own, wishes }: { userId: number; own: Chance[]; wishes: Wishes },
): Promise<Push[]> {
  const [person, muted, devicesItem, pushed] = personKeys(userId).map(find);
  const devices = listActive(toPushDevices(userId, devicesItem));
  if (!person || devices.length === 0) return [];
  const user = toUser(person);
  const presence = presenceOf(seenIn(find(presenceKey(userId)), userId));
  const isAway = isIdle(presence, toSeconds(services.clock.nowMs()));
  const mutedUserIds = ((muted as Partial<MutedUsers> | undefined)?.mutedUsers ?? []).map(({ id }) => id);
  const pushedIds = (pushed?.messageIds as Set<number> | undefined) ?? new Set<number>();
  const marks = await openMarks(services.table, userId);
  const blocks = own.map(({ message }) => markBlockOf(message.messageId));
  await loadMarkBlocks(services.table, userId, marks, blocks);
  const chosen = own.flatMap((chance) => {
    const { message } = chance;
    const { settings, subscription } = readWishes(wishes, chance);
    const subscriptions = onlySubscription(subscription);
    const isTold =
      !pushedIds.has(message.messageId) &&
      hasReceived(user, message, subscriptions) &&
      isUnread(user, message, subscriptions, marks) &&
      !isSpared(message, { user, settings, mutedUserIds, isIdle: isAway });
    return isTold ? [message] : [];
  });
  const shown = await asSeenBy(services.table, user, chosen);
  return shown.map((message) => ({ userId, message, devices, pushedIds }));
}

interface Items {
  get: (key: Key) => Item | undefined;
}

/** Reads many items in few calls, each once. */
async function loadItems(
  table: Table,
  wanted: Key[],
  options: { eventually?: boolean } = {},
): Promise<Items> {
  const name = ({ pk, sk }: Key): string => `${pk} ${sk}`;
  const unique = new Map(wanted.map((key) => [name(key), key]));
  const items = await table.findMany([...unique.values()], options);
  const found = new Map(items.map((item) => [name(recordOf<Key>(item)), item]));
  return { get: (key) => found.get(name(key)) };
}
