import { abandonUpload } from '#shared/actions/uploads/resumable-uploads.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { abandonedReply, uploadToken } from '#shared/api/files/tus.ts';
import { lambda } from '#shared/api/lambda.ts';
import { noContent } from '#shared/api/replies.ts';
import { NotFound } from '#shared/domain/errors.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { getUnfinished } from '#shared/store/uploads/unfinished-uploads.ts';

/** Abandons a resumable upload and deletes the received data. A completed file stays. */
export const abandonResumableUpload = endpoint({
  route: 'DELETE /tus/{upload_id}',
  summary: 'Give up a resumable upload',
  allow: 'user',
  scope: 'send',
  needs: ['useOwn'],
  params: uploadToken,
  result: noContent,
  errors: [NotFound],
  emits: [],
  uses: { table: 'write', areas: ['uploads'], bus: true },
  async handle({ upload_id }, { services, caller }) {
    const { table, clock } = services;
    const unfinished = await getUnfinished(table, caller.userId, upload_id, toSeconds(clock.nowMs()));
    await abandonUpload(services, unfinished);
    return abandonedReply();
  },
});

export const handler = lambda(abandonResumableUpload, awsServices);
