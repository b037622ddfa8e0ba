import type { Channel } from '#shared/domain/channels/channel.ts';
import { groupSettingsOf, hasContentAccess, mayKnow } from '#shared/domain/channels/permissions.ts';
import type { ChannelView } from '#shared/domain/messages/access.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { pictureUrl } from '#shared/domain/pictures/picture.ts';
import { systemGroupNames } from '#shared/domain/user-groups/permission-rules.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Known, KnownGroup, KnownTopic } from '#shared/markdown/known.ts';
import { findReferences, type References } from '#shared/markdown/references.ts';
import { mayRefer } from '#shared/markdown/words.ts';
import { hasMessages, listChannelsByName } from '#shared/store/channels/channels.ts';
import { findSubscription } from '#shared/store/channels/subscriptions.ts';
import { listCustomEmojiByName } from '#shared/store/emoji/custom-emoji.ts';
import { loadLinker } from '#shared/store/linkifiers.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { learnMemberships, listGroupsById } from '#shared/store/user-groups/groups.ts';
import { listUsers, listUsersById } from '#shared/store/users/users.ts';
import { listSeen } from '#shared/store/visibility/visible-users.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { groupKeys } from '#shared/table/keys/groups.ts';
import { idOfPartition } from '#shared/table/keys/key.ts';
import type { Table } from '#shared/table/table.ts';
import { loadParts } from './markdown-parts.ts';
import { renderShortText } from './rendering.ts';

/** Longer names belong to no group and would not fit into a key. */
const MAX_GROUP_NAME = 300;

/**
 * The references of a text, as far as its author may know of them; `place` is the destination channel. Costs
 * half a unit for a text without references, otherwise by their number (docs/data-model.md).
 */
export async function loadKnown(table: Table, author: User, source: string, place?: Channel): Promise<Known> {
  if (!mayRefer(source))
    return {
      linker: await loadLinker(table),
      users: [],
      groups: [],
      channels: [],
      topics: [],
      uploads: [],
      emoji: [],
    };
  const references = findReferences(source);
  const [linker, parts, users, groups, views, emoji, uploads, origin] = await Promise.all([
    loadLinker(table),
    loadParts(references),
    listNamedUsers(table, author, references),
    listNamedGroups(table, references),
    listNamedChannels(table, author, references, place),
    listCustomEmojiByName(table, references.emojiNames),
    listNamedUploads(table, author, references),
    references.needs.origin ? getOrganization(table).then(({ url }) => url) : undefined,
  ]);
  const topics = await listNamedTopics(table, author, references, views);
  return {
    linker,
    ...parts,
    users,
    groups,
    channels: views.map(({ channel: { channelId, name } }) => ({ channelId, name })),
    topics,
    ...uploads,
    emoji: emoji.map(({ name, picture }) => ({ name, url: pictureUrl(picture) })),
    ...(origin !== undefined && { origin }),
  };
}

/**
 * Renders a text that is not a message, such as a description. The renderer is large, so a function loads it
 * with the first text that needs it; an empty one costs nothing.
 */
export async function renderText(table: Table, author: User, source: string): Promise<string> {
  if (source === '') return '';
  // Uploads are shown in messages only.
  const { showUploads: _shown, ...known } = await loadKnown(table, author, source);
  return renderShortText(source, known);
}

/** Few texts link to files, so the code that looks them up is loaded with the first that does. */
async function listNamedUploads(
  table: Table,
  author: User,
  { uploadPaths }: References,
): Promise<Pick<Known, 'uploads' | 'showUploads'>> {
  if (uploadPaths.length === 0) return { uploads: [] };
  const { listKnownUploads } = await import('#shared/store/uploads/known-uploads.ts');
  return listKnownUploads(table, author, uploadPaths);
}

/** Names are not unique, so all users are read when a mention has no id. */
async function listNamedUsers(
  table: Table,
  author: User,
  { userNames, userIds }: References,
): Promise<User[]> {
  const names = new Set(userNames.map(toCanonical));
  const ids = new Set(userIds);
  const users = names.size === 0 ? await listUsersById(table, userIds) : await listUsers(table);
  const named = users.filter(({ userId, fullName }) => ids.has(userId) || names.has(toCanonical(fullName)));
  return listSeen(table, author, named);
}

async function listNamedGroups(table: Table, { groupNames }: References): Promise<KnownGroup[]> {
  const names = new Set(groupNames.filter(({ length }) => length <= MAX_GROUP_NAME).map(toCanonical));
  const common = Object.entries(systemGroupNames)
    .filter(([, name]) => names.has(name))
    .map(([id, name]) => ({ groupId: Number(id), name, isDeactivated: false }));
  const guards = await table.findMany([...names].map(groupKeys.name));
  const made = await listGroupsById(
    table,
    guards.map(({ groupId }) => Number(groupId)),
  );
  return [...common, ...made];
}

async function listNamedChannels(
  table: Table,
  author: User,
  { channelNames }: References,
  place: Channel | undefined,
): Promise<ChannelView[]> {
  const channels = await listChannelsByName(table, channelNames);
  const views = await Promise.all(
    channels.map(async (channel) => ({
      channel,
      subscription: await findSubscription(table, author.userId, channel.channelId),
    })),
  );
  await learnMemberships(table, author, channels.flatMap(groupSettingsOf));
  return views.filter((view) => view.channel.channelId === place?.channelId || mayKnow(author, view));
}

/**
 * The newest messages of topics whose full history the author may read; other topics are treated as unknown.
 */
async function listNamedTopics(
  table: Table,
  author: User,
  { topics }: References,
  views: ChannelView[],
): Promise<KnownTopic[]> {
  const named = topics.flatMap(({ channel: name, topic }) => {
    const view = views.find(({ channel }) => toCanonical(channel.name) === toCanonical(name));
    const isReadable = view?.channel.isHistoryPublic && hasContentAccess(author, view);
    return isReadable ? [{ channelId: view.channel.channelId, topic: toCanonical(topic) }] : [];
  });
  const places = new Map(
    named
      .filter(({ topic }) => topic.length <= MAX_GROUP_NAME)
      .map((place) => [JSON.stringify([place.channelId, place.topic]), place]),
  );
  const items = await table.findMany(
    [...places.values()].map(({ channelId, topic }) => channelKeys.topic(channelId, topic)),
    { eventually: true },
  );
  return items.filter(hasMessages).map(({ pk, topic, maxMessageId }) => ({
    channelId: idOfPartition(String(pk)),
    topic: String(topic),
    newestMessageId: Number(maxMessageId),
  }));
}
