import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { nothing } from '#shared/api/schemas.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { uploadRemovalChange } from '#shared/domain/uploads/changes.ts';
import { commit } from '#shared/log/commit.ts';
import { getOwnUpload, readUploadSpaces } from '#shared/store/uploads/uploads.ts';

/** Deletes a file of the caller; links to it in messages stop working. */
export const deleteAttachment = endpoint({
  route: 'DELETE /attachments/{attachment_id}',
  summary: 'Delete an uploaded file',
  allow: 'user',
  needs: ['useOwn'],
  params: { attachment_id: json(z.int(), 'The file') },
  result: nothing,
  errors: [BadRequest],
  emits: ['attachment/remove'],
  uses: { table: 'write', areas: ['uploads'], bus: true },
  async handle({ attachment_id: uploadId }, { services, caller }) {
    const { table } = services;
    const upload = await getOwnUpload(table, caller, uploadId);
    await commit(services, uploadRemovalChange(upload, await readUploadSpaces(table, caller.userId)));
    return {};
  },
});

export const handler = lambda(deleteAttachment, awsServices);
