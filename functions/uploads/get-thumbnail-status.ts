import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { readUploadPath, uploadPath } from '#shared/api/contracts/uploads.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { NotFound, Unauthorized } from '#shared/domain/errors.ts';
import { getUploadFor } from '#shared/store/uploads/upload-access.ts';

/**
 * Whether a file has a thumbnail, for callers who may read the file. Thumbnails are made during the upload,
 * so the answer never changes.
 */
export const getThumbnailStatus = endpoint({
  route: 'GET /thumbnail/status/{realm_id_str}/{filename+}',
  summary: 'Check whether an uploaded file has a thumbnail',
  allow: 'userOrAnonymous',
  scope: 'read',
  needs: ['readMessages'],
  params: uploadPath,
  result: z.object({ has_thumbnail: z.boolean() }),
  errors: [NotFound, Unauthorized],
  emits: [],
  uses: { table: 'read', areas: ['messages', 'uploads'] },
  async handle(params, { services, caller }) {
    const { image } = await getUploadFor(services.table, caller, readUploadPath(params));
    return { has_thumbnail: (image?.thumbnails.length ?? 0) > 0 };
  },
});

export const handler = lambda(getThumbnailStatus, awsServices);
