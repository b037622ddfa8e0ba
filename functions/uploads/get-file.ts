import { awsServices } from '#shared/adapters/aws-services.ts';
import { readUploadPath, uploadPath } from '#shared/api/contracts/uploads.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { sendUpload } from '#shared/api/files/upload-reply.ts';
import { lambda } from '#shared/api/lambda.ts';
import { fileOrAddress } from '#shared/api/replies.ts';
import { NotFound, Unauthorized } from '#shared/domain/errors.ts';
import { getUploadFor } from '#shared/store/uploads/upload-access.ts';

/** An uploaded file, for its owner and for readers of a message that links to it. */
export const getFile = endpoint({
  route: 'GET /user_uploads/{realm_id_str}/{filename+}',
  at: 'root',
  summary: 'Get an uploaded file',
  allow: 'userOrAnonymous',
  scope: 'read',
  needs: ['readMessages'],
  isLight: true,
  params: uploadPath,
  result: fileOrAddress,
  errors: [NotFound, Unauthorized],
  emits: [],
  uses: { table: 'read', areas: ['messages', 'uploads'], files: 'read', folders: ['uploads'] },
  async handle(params, { services, caller }) {
    const upload = await getUploadFor(services.table, caller, readUploadPath(params));
    return sendUpload(services, upload);
  },
});

export const handler = lambda(getFile, awsServices);
