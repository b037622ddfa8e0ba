import { awsServices } from '#shared/adapters/aws-services.ts';
import { readUploadPath, uploadPath } from '#shared/api/contracts/uploads.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { uploadReply } from '#shared/api/files/upload-reply.ts';
import { lambda } from '#shared/api/lambda.ts';
import { file } from '#shared/api/replies.ts';
import { NotFound, Unauthorized } from '#shared/domain/errors.ts';
import { FILE_GONE, uploadFile } from '#shared/domain/uploads/upload.ts';
import { getStoredFile } from '#shared/store/uploads/stored-file.ts';
import { getUploadFor } from '#shared/store/uploads/upload-access.ts';

/** A thumbnail of an uploaded picture, for callers who may read the picture. */
export const getThumbnail = endpoint({
  route: 'GET /user_uploads/thumbnail/{realm_id_str}/{filename+}',
  at: 'root',
  summary: 'Get a smaller form of an uploaded picture',
  allow: 'userOrAnonymous',
  scope: 'read',
  needs: ['readMessages'],
  isLight: true,
  params: uploadPath,
  result: file,
  errors: [NotFound, Unauthorized],
  emits: [],
  uses: { table: 'read', areas: ['messages', 'uploads'], files: 'read', folders: ['uploads'] },
  async handle({ realm_id_str, filename }, { services, caller }) {
    const end = filename.lastIndexOf('/');
    const path = readUploadPath({ realm_id_str, filename: filename.slice(0, end) });
    const upload = await getUploadFor(services.table, caller, path);
    const name = filename.slice(end + 1);
    if (!upload.image?.thumbnails.includes(name)) throw new NotFound(FILE_GONE);
    const bytes = await getStoredFile(services, uploadFile(upload, name));
    return uploadReply({ name, mediaType: 'image/webp' }, bytes);
  },
});

export const handler = lambda(getThumbnail, awsServices);
