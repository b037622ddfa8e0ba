import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { folderOrderChange } from '#shared/domain/channels/folder-changes.ts';
import { BadRequest, UnauthorizedPrincipal } from '#shared/domain/errors.ts';
import { commit } from '#shared/log/commit.ts';
import { listFolders } from '#shared/store/channels/folders.ts';

/** Reorders the channel folders. */
export const reorderChannelFolders = endpoint({
  route: 'PATCH /channel_folders',
  summary: 'Reorder channel folders',
  allow: 'administrator',
  params: { order: json(z.array(z.int()), 'The ids of all folders, archived ones included') },
  result: nothing,
  errors: [BadRequest, UnauthorizedPrincipal],
  emits: ['channel_folder/reorder'],
  uses: { table: 'write' },
  async handle({ order }, { services }) {
    const change = folderOrderChange(await listFolders(services.table), order);
    if (change) await commit(services, change);
    return {};
  },
});

export const handler = lambda(reorderChannelFolders, awsServices);
