import { endpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { noContent } from '#shared/api/replies.ts';
import { abandonedReply, uploadToken } from '#shared/api/tus.ts';
import { NotFound } from '#shared/domain/errors.ts';
import { abandonUpload } from '#shared/log/resumable-uploads.ts';
import { awsServices } from '#shared/runtime/aws-services.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { getUnfinished } from '#shared/store/unfinished-uploads.ts';

/** Gives a resumable upload up: what has arrived goes. A file that is whole stays. */
export const abandonResumableUpload = endpoint({
  route: 'DELETE /tus/{upload_id}',
  summary: 'Give up a resumable upload',
  allow: 'user',
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
