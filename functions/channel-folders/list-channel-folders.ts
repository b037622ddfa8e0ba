import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { folderRecord } from '#shared/api/contracts/channel-folders.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, withDefault } from '#shared/api/parameters.ts';
import { toFolderRecords } from '#shared/domain/channels/folders.ts';
import { listFolders } from '#shared/store/channels/folders.ts';

/** The channel folders in order. */
export const listChannelFolders = endpoint({
  route: 'GET /channel_folders',
  summary: 'List channel folders',
  allow: 'user',
  scope: 'read',
  params: { include_archived: withDefault(json(z.boolean(), 'Archived folders as well'), false) },
  result: z.object({ channel_folders: z.array(folderRecord) }),
  errors: [],
  emits: [],
  uses: { table: 'read' },
  async handle({ include_archived }, { services: { table } }) {
    const records = toFolderRecords(await listFolders(table));
    return { channel_folders: records.filter(({ is_archived }) => include_archived || !is_archived) };
  },
});

export const handler = lambda(listChannelFolders, awsServices);
