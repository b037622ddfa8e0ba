import * as z from 'zod/mini';
import { addPiece } from '#shared/actions/uploads/resumable-uploads.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import {
  finishedBody,
  progressHeaders,
  requireTusVersion,
  tusVersion,
  uploadToken,
} from '#shared/api/files/tus.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json } from '#shared/api/parameters.ts';
import { BareReply, progress } from '#shared/api/replies.ts';
import { NotFound } from '#shared/domain/errors.ts';
import {
  NoUploadPiece,
  UnknownTusVersion,
  UploadOffsetMismatch,
  UploadTooLarge,
} from '#shared/domain/uploads/errors.ts';
import { toSeconds } from '#shared/runtime/clock.ts';
import { getUnfinished } from '#shared/store/uploads/unfinished-uploads.ts';

/** Adds a piece to a resumable upload. The last one completes the file, and the reply names it. */
export const continueResumableUpload = endpoint({
  route: 'PATCH /tus/{upload_id}',
  summary: 'Send a piece of a resumable upload',
  allow: 'user',
  scope: 'send',
  needs: ['useOwn'],
  takesPieces: true,
  params: {
    ...uploadToken,
    ...tusVersion,
    upload_offset: json(z.int().check(z.nonnegative()), 'The offset of the piece; usually a header'),
  },
  result: progress,
  errors: [NotFound, NoUploadPiece, UnknownTusVersion, UploadOffsetMismatch, UploadTooLarge],
  emits: ['attachment/add'],
  uses: {
    table: 'write',
    areas: ['uploads'],
    files: 'readAndWrite',
    folders: ['uploads'],
    images: true,
    bus: true,
  },
  timeoutSeconds: 29,
  memoryMegabytes: 1769,
  async handle({ upload_id, tus_resumable, upload_offset: at }, { services, caller, piece: bytes }) {
    requireTusVersion(tus_resumable);
    if (!bytes) throw new NoUploadPiece();
    const nowSeconds = toSeconds(services.clock.nowMs());
    const unfinished = await getUnfinished(services.table, caller.userId, upload_id, nowSeconds);
    const { offset, upload } = await addPiece(services, caller, unfinished, { at, bytes });
    const headers = progressHeaders(unfinished, offset);
    return upload ? new BareReply(200, headers, finishedBody(upload)) : new BareReply(204, headers);
  },
});

export const handler = lambda(continueResumableUpload, awsServices);
