import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { fileOrAddress } from '#shared/api/replies.ts';
import { readUploadPath, uploadPath } from '#shared/api/upload-parameters.ts';
import { sendUpload } from '#shared/api/upload-reply.ts';
import { NotFound, Unauthorized } from '#shared/domain/errors.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { getUploadFor } from '#shared/store/upload-access.ts';

/** An uploaded file, for its owner and for whoever may read a message that names it. */
export const getFile = endpoint({
  route: 'GET /user_uploads/{realm_id_str}/{filename+}',
  at: 'root',
  summary: 'Get an uploaded file',
  allow: 'userOrAnonymous',
  needs: ['readMessages'],
  isLight: true,
  params: uploadPath,
  result: fileOrAddress,
  errors: [NotFound, Unauthorized],
  emits: [],
  uses: { table: 'read', areas: ['messages', 'uploads'], files: 'read', folders: ['uploads'] },
  memoryMegabytes: 512,
  async handle(params, { services, caller }) {
    const upload = await getUploadFor(services.table, caller, readUploadPath(params));
    return sendUpload(services, upload);
  },
});

export const handler = lambda(getFile, awsServices);
