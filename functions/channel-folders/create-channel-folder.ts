import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { folderDescription, folderName } from '#shared/api/contracts/channel-folders.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text, withDefault } from '#shared/api/parameters.ts';
import { checkNewFolder, newFolderChange } from '#shared/domain/channels/folder-changes.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { commitWithAnswer } from '#shared/log/commit.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { listFolders } from '#shared/store/channels/folders.ts';
import { renderShortText } from '#shared/store/messages/rendering.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';

/** Adds a channel folder after all others. */
export const createChannelFolder = endpoint({
  route: 'POST /channel_folders/create',
  summary: 'Create a channel folder',
  allow: 'administrator',
  creates: true,
  params: {
    name: text(folderName, 'Its name'),
    description: withDefault(text(folderDescription, 'A description, as Markdown'), ''),
  },
  result: z.object({ channel_folder_id: z.int() }),
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['channel_folder/add'],
  uses: { table: 'write' },
  async handle({ name, description }, { services, caller, retry }) {
    const { table, clock } = services;
    const folders = await listFolders(table);
    // Before an id is used up.
    checkNewFolder(folders, name);
    const folderId = await table.increment(organizationKeys.counter('channel-folder'), 'id');
    const nowSeconds = toSeconds(clock.nowMs());
    const descriptionHtml = await renderShortText(description);
    const input = { folderId, name, description, descriptionHtml, creatorId: caller.userId, nowSeconds };
    return commitWithAnswer(services, retry, newFolderChange(folders, input), {
      channel_folder_id: folderId,
    });
  },
});

export const handler = lambda(createChannelFolder, awsServices);
