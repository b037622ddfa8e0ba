import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { BareReply, noContent } from '#shared/api/replies.ts';
import { progressHeaders, uploadToken } from '#shared/api/tus.ts';
import { NotFound } from '#shared/domain/errors.ts';
import { offsetOf } from '#shared/domain/uploads/unfinished.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { getUnfinished } from '#shared/store/unfinished-uploads.ts';

/** Says how much of a file has arrived; clients ask by HEAD. */
export const getResumableUpload = endpoint({
  route: 'GET /tus/{upload_id}',
  summary: 'Ask how far a resumable upload has come',
  allow: 'user',
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
