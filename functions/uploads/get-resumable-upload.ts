import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { progressHeaders, uploadToken } from '#shared/api/files/tus.ts';
import { lambda } from '#shared/api/lambda.ts';
import { BareReply, noContent } from '#shared/api/replies.ts';
import { NotFound } from '#shared/domain/errors.ts';
import { offsetOf } from '#shared/domain/uploads/unfinished.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { getUnfinished } from '#shared/store/uploads/unfinished-uploads.ts';

/** How much of a file has been received; clients use HEAD. */
export const getResumableUpload = endpoint({
  route: 'GET /tus/{upload_id}',
  summary: 'Get the progress of a resumable upload',
  allow: 'user',
  scope: 'send',
  needs: ['useOwn'],
  params: uploadToken,
  result: noContent,
  errors: [NotFound],
  emits: [],
  uses: { table: 'read', areas: ['uploads'] },
  async handle({ upload_id }, { services: { table, clock }, caller }) {
    const unfinished = await getUnfinished(table, caller.userId, upload_id, toSeconds(clock.nowMs()));
    return new BareReply(204, progressHeaders(unfinished, offsetOf(unfinished)));
  },
});

export const handler = lambda(getResumableUpload, awsServices);
