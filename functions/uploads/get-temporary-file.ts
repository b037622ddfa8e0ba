import * as z from 'zod/mini';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { isSameSecret } from '#shared/api/auth/api-key.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { sendUpload } from '#shared/api/files/upload-reply.ts';
import { lambda } from '#shared/api/lambda.ts';
import { text } from '#shared/api/parameters.ts';
import { fileOrAddress } from '#shared/api/replies.ts';
import { NotFound } from '#shared/domain/errors.ts';
import { isOver, readUntilSeconds } from '#shared/domain/exports/address.ts';
import { temporaryKey } from '#shared/domain/uploads/temporary-url.ts';
import { FILE_GONE } from '#shared/domain/uploads/upload.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { listUploadsAt } from '#shared/store/uploads/uploads.ts';

/** An uploaded file by one of its temporary addresses. */
export const getTemporaryFile = endpoint({
  route: 'GET /user_uploads/temporary/{key}/{filename+}',
  at: 'root',
  summary: 'Get an uploaded file by a temporary address',
  allow: 'anyone',
  isLight: true,
  params: {
    key: text(z.string(), 'The expiry of the address, and a signature'),
    filename: text(z.string(), 'The path of the file'),
  },
  result: fileOrAddress,
  errors: [NotFound],
  emits: [],
  uses: { table: 'read', areas: ['uploads'], files: 'read', folders: ['uploads'], secret: true },
  async handle({ key, filename }, { services }) {
    const untilSeconds = readUntilSeconds(key);
    const isGood =
      !isOver(untilSeconds, toSeconds(services.clock.nowMs())) &&
      isSameSecret(key, temporaryKey(await services.secret(), filename, untilSeconds));
    const [upload] = isGood ? await listUploadsAt(services.table, [filename]) : [];
    if (!upload) throw new NotFound(FILE_GONE);
    return sendUpload(services, upload);
  },
});

export const handler = lambda(getTemporaryFile, awsServices);
