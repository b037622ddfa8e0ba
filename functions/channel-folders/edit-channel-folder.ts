import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { folderDescription, folderName } from '#shared/api/contracts/channel-folders.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { folderEditChange } from '#shared/domain/channels/folder-changes.ts';
import { requireFolder } from '#shared/domain/channels/folders.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { commit } from '#shared/log/commit.ts';
import { listChannels } from '#shared/store/channels/channels.ts';
import { listFolders } from '#shared/store/channels/folders.ts';
import { renderShortText } from '#shared/store/messages/rendering.ts';

/** Edits, archives or unarchives a channel folder. */
export const editChannelFolder = endpoint({
  route: 'PATCH /channel_folders/{channel_folder_id}',
  summary: 'Edit a channel folder',
  allow: 'administrator',
  params: {
    channel_folder_id: json(z.int(), 'The folder'),
    name: optional(text(folderName, 'Its name')),
    description: optional(text(folderDescription, 'A description, as Markdown')),
    is_archived: optional(json(z.boolean(), 'Whether it is archived; requires an empty folder')),
  },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['channel_folder/update'],
  uses: { table: 'write' },
  async handle(params, { services }) {
    const { name, description: text, is_archived: isArchived } = params;
    const folders = await listFolders(services.table);
    const folder = requireFolder(folders, params.channel_folder_id);
    const channels = isArchived ? await listChannels(services.table) : [];
    const isInUse = channels.some(({ folderId }) => folderId === folder.folderId);
    const description = text === undefined ? undefined : { text, html: await renderShortText(text) };
    const edit = { name, description, isArchived };
    const change = folderEditChange(folders, folder, edit, isInUse);
    if (change) await commit(services, change);
    return {};
  },
});

export const handler = lambda(editChannelFolder, awsServices);
