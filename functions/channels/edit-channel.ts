import { transitChannel } from '#shared/actions/channels/channel-transition.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { editChannelParameters, readEdit } from '#shared/api/contracts/channels.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { nothing } from '#shared/api/schemas.ts';
import type { Channel } from '#shared/domain/channels/channel.ts';
import { checkGroupSettings } from '#shared/domain/channels/create.ts';
import { type ChannelEdit, editChannel as decide } from '#shared/domain/channels/edit.ts';
import { requireUsableFolder } from '#shared/domain/channels/folders.ts';
import { BadRequest, ExpectationMismatch, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from '#shared/domain/messages/topic.ts';
import { toCanonical } from '#shared/domain/names.ts';
import type { User } from '#shared/domain/users/user.ts';
import { findChannelByName, getChannelView, listTopicSummaries } from '#shared/store/channels/channels.ts';
import { listFolders } from '#shared/store/channels/folders.ts';
import { renderText } from '#shared/store/messages/references.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { learnMemberships, listNamed } from '#shared/store/user-groups/groups.ts';
import type { Table } from '#shared/table/table.ts';

/** Changes settings of a channel; all or none. */
export const editChannel = endpoint({
  route: 'PATCH /streams/{stream_id}',
  summary: 'Edit a channel',
  allow: 'user',
  needs: ['editChannel'],
  params: editChannelParameters,
  result: nothing,
  errors: [BadRequest, ExpectationMismatch, UnauthorizedPrincipal],
  emits: [
    'stream/create',
    'stream/delete',
    'stream/update',
    'subscription/add',
    'subscription/peer_add',
    'default_streams',
    'message',
    'subscription/remove',
  ],
  uses: { table: 'write', areas: ['messages', 'uploads'], bus: true },
  async handle(params, { services, caller }) {
    const { table, config } = services;
    const edit = readEdit(params);
    const [view, organization] = await Promise.all([
      getChannelView(table, caller, params.stream_id),
      getOrganization(table),
    ]);
    await learnMemberships(table, caller, Object.values(organization.groups));
    const { channel } = view;
    const decided = decide(caller, view, edit, {
      organization: organization.groups,
      allowsWebPublic: config.webPublicChannels && organization.settings.enable_spectator_access,
      isDefault: organization.defaultChannels?.has(channel.channelId) ?? false,
      isForReports: organization.settings.moderation_request_channel_id === channel.channelId,
    });
    const next = await withDescription(table, caller, channel, decided);
    await checkSurroundings(table, channel, next, edit);
    await transitChannel(services, {
      caller,
      organization,
      previous: channel,
      next,
      isDefault: edit.isDefault,
    });
    return {};
  },
});

export const handler = lambda(editChannel, awsServices);

async function withDescription(
  table: Table,
  caller: User,
  previous: Channel,
  next: Channel,
): Promise<Channel> {
  if (next.description === previous.description) return next;
  return { ...next, descriptionHtml: await renderText(table, caller, next.description) };
}

/** Validates the edit against other channels, folders, groups, and the messages of the channel. */
async function checkSurroundings(
  table: Table,
  previous: Channel,
  next: Channel,
  edit: ChannelEdit,
): Promise<void> {
  const isRenamed = toCanonical(next.name) !== toCanonical(previous.name);
  if (isRenamed && (await findChannelByName(table, next.name)))
    throw new BadRequest('Channel name already in use.');
  if (next.folderId !== null && next.folderId !== previous.folderId)
    requireUsableFolder(await listFolders(table), next.folderId);
  const groups = Object.fromEntries(
    Object.entries(edit.groups).map(([name, { new: value }]) => [name, value]),
  );
  checkGroupSettings({ groups }, await listNamed(table, Object.values(groups)));
  if (next.topicsPolicy === 'empty_topic_only' && previous.topicsPolicy !== 'empty_topic_only')
    await requireNoTopics(table, next.channelId);
}

async function requireNoTopics(table: Table, channelId: number): Promise<void> {
  const summaries = await listTopicSummaries(table, channelId);
  if (summaries.some(({ topic }) => topic !== ''))
    throw new BadRequest(
      `To enable this configuration, all messages in this channel must be in the ${EMPTY_TOPIC_DISPLAY_NAME} topic. Consider renaming other topics to ${EMPTY_TOPIC_DISPLAY_NAME}.`,
    );
}
