import type { Channel } from '#shared/domain/channels/channel.ts';
import { groupSettingsOf, mayKnow } from '#shared/domain/channels/permissions.ts';
import { systemGroupNames } from '#shared/domain/groups/permission-rules.ts';
import { type ChannelView, hasContentAccess } from '#shared/domain/messages/access.ts';
import { toCanonical } from '#shared/domain/names.ts';
import { pictureUrl } from '#shared/domain/pictures/picture.ts';
import type { User } from '#shared/domain/users/user.ts';
import type { Known, KnownGroup, KnownTopic } from '#shared/markdown/known.ts';
import { findReferences, type References } from '#shared/markdown/references.ts';
import { idOfPartition, keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { listChannelsByName } from './channels.ts';
import { listCustomEmojiByName } from './custom-emoji.ts';
import { learnMemberships, listGroupsById } from './groups.ts';
import { loadLinker } from './linkifiers.ts';
import { loadParts } from './markdown-parts.ts';
import { getOrganization } from './organization.ts';
import { listSeen } from './sight.ts';
import { findSubscription } from './subscriptions.ts';
import { listUsers, listUsersById } from './users.ts';

/** No group has a longer name, and no key could hold every one. */
const MAX_GROUP_NAME = 300;

/**
 * What a text is rendered with, as far as its author may know of it; `place` is the channel that it goes to. Costs half a
 * unit where the text names nothing, and else by what it names (docs/data-model.md).
 */
export async function loadKnown(table: Table, author: User, source: string, place?: Channel): Promise<Known> {
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
 * A text that is no message, such as a description, as HTML. The renderer is large, so that a function loads it with the
 * first text; an empty one costs nothing.
 */
export async function renderText(table: Table, author: User, source: string): Promise<string> {
  if (source === '') return '';
  const [{ addPreviews: _pictures, addPlayers: _players, ...known }, { renderDescription }] =
    await Promise.all([
      // Pictures and players are shown in messages only.
      loadKnown(table, author, source),
      import('#shared/markdown/render.ts'),
    ]);
  return renderDescription(source, known);
}

/** Few texts name files, so that what looks them up is loaded with the first that does. */
async function listNamedUploads(
  table: Table,
  author: User,
  { uploadPaths }: References,
): Promise<Pick<Known, 'uploads' | 'addPreviews' | 'addPlayers'>> {
  if (uploadPaths.length === 0) return { uploads: [] };
  const { listKnownUploads } = await import('./known-uploads.ts');
  return listKnownUploads(table, author, uploadPaths);
}

/** Everybody is read where somebody is named without an id, since names are not unique. */
async function listNamedUsers(
  table: Table,
  author: User,
  { userNames, userIds }: References,
): Promise<User[]> {
  if (userNames.length === 0 && userIds.length === 0) return [];
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
  const guards = await table.findMany([...names].map(keys.groupName));
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
  if (channelNames.length === 0) return [];
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

/** The newest messages of topics whose whole history the author reads; of others nobody is told. */
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
      .map((one) => [JSON.stringify([one.channelId, one.topic]), one]),
  );
  const items = await table.findMany(
    [...places.values()].map(({ channelId, topic }) => keys.topic(channelId, topic)),
    { eventually: true },
  );
  return items.map(({ pk, topic, maxMessageId }) => ({
    channelId: idOfPartition(String(pk)),
    topic: String(topic),
    newestMessageId: Number(maxMessageId),
  }));
}
