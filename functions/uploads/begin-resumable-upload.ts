import * as z from 'zod/mini';
import { addPiece, beginUpload, requireAnnounced } from '#shared/actions/uploads/resumable-uploads.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { finishedBody, progressHeaders, requireTusVersion, tusVersion } from '#shared/api/files/tus.ts';
import { lambda } from '#shared/api/lambda.ts';
import { json, optional, text, withDefault } from '#shared/api/parameters.ts';
import { BareReply, created } from '#shared/api/replies.ts';
import {
  NoRoomForUpload,
  UnknownTusVersion,
  UploadLengthRequired,
  UploadTooLarge,
} from '#shared/domain/uploads/errors.ts';
import { readMetadata } from '#shared/domain/uploads/tus.ts';

/** Starts a resumable upload, optionally with the first piece. */
export const beginResumableUpload = endpoint({
  route: 'POST /tus',
  summary: 'Begin a resumable upload',
  allow: 'user',
  scope: 'send',
  takesPieces: true,
  params: {
    ...tusVersion,
    upload_length: optional(json(z.int().check(z.nonnegative()), 'The bytes of the file; usually a header')),
    upload_metadata: withDefault(
      text(z.string(), '`filename` and `filetype`, each with its base64; usually a header'),
      '',
    ),
  },
  result: created,
  errors: [NoRoomForUpload, UnknownTusVersion, UploadLengthRequired, UploadTooLarge],
  emits: ['attachment/add'],
  uses: { table: 'write', areas: ['uploads'], files: 'write', folders: ['uploads'], images: true },
  memoryMegabytes: 1769,
  async handle({ tus_resumable, upload_length: length, upload_metadata }, { services, caller, piece }) {
    requireTusVersion(tus_resumable);
    if (length === undefined) throw new UploadLengthRequired();
    const bytes = piece ?? new Uint8Array();
    requireAnnounced(length, bytes.length);
    const unfinished = await beginUpload(services, caller, { ...readMetadata(upload_metadata), length });
    const { offset, upload } = await addPiece(services, caller, unfinished, { at: 0, bytes });
    const headers = {
      ...progressHeaders(unfinished, offset),
      Location: `/api/v1/tus/${unfinished.token}`,
    };
    return new BareReply(201, headers, upload && finishedBody(upload));
  },
});

export const handler = lambda(beginResumableUpload, awsServices);
