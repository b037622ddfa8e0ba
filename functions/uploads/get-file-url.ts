import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { readUploadPath, uploadPath } from '#shared/api/contracts/uploads.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { NotFound } from '#shared/domain/errors.ts';
import { temporaryUrl } from '#shared/domain/uploads/temporary-url.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { getUploadFor } from '#shared/store/uploads/upload-access.ts';

/** An address for downloading a file without credentials, valid for a minute. */
export const getFileUrl = endpoint({
  route: 'GET /user_uploads/{realm_id_str}/{filename+}',
  summary: 'Get a temporary address of an uploaded file',
  allow: 'user',
  scope: 'read',
  needs: ['readMessages'],
  params: uploadPath,
  result: z.object({ url: z.string() }),
  errors: [NotFound],
  emits: [],
  uses: { table: 'read', areas: ['messages', 'uploads'], secret: true },
  async handle(params, { services, caller }) {
    const upload = await getUploadFor(services.table, caller, readUploadPath(params));
    return { url: temporaryUrl(await services.secret(), upload, toSeconds(services.clock.nowMs())) };
  },
});

export const handler = lambda(getFileUrl, awsServices);
