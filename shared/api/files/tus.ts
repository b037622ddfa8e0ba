import * as z from 'zod/mini';
import { optional, text } from '#shared/api/parameters.ts';
import { BareReply } from '#shared/api/replies.ts';
import { UnknownTusVersion } from '#shared/domain/uploads/errors.ts';
import { TUS_VERSION } from '#shared/domain/uploads/tus.ts';
import { endOf, type UnfinishedUpload } from '#shared/domain/uploads/unfinished.ts';
import { type Upload, uploadUrl } from '#shared/domain/uploads/upload.ts';

/** The headers that every request of a resumable upload may have. */
export const tusVersion = {
  tus_resumable: optional(text(z.string(), 'The version of the protocol, 1.0.0; usually a header')),
};

export const uploadToken = { upload_id: text(z.string(), 'The id of the upload in its address') };

/** @throws UnknownTusVersion */
export function requireTusVersion(version: string | undefined): void {
  if (version !== undefined && version !== TUS_VERSION) throw new UnknownTusVersion();
}

/** The progress of an upload, as headers. */
export const progressHeaders = (unfinished: UnfinishedUpload, offset: number): Record<string, string> => ({
  'Tus-Resumable': TUS_VERSION,
  'Upload-Offset': String(offset),
  'Upload-Length': String(unfinished.length),
  'Upload-Expires': new Date(endOf(unfinished) * 1000).toUTCString(),
});

/** The reply to the request that completes a file. */
export const finishedBody = (upload: Upload): { url: string; filename: string } => ({
  url: uploadUrl(upload),
  filename: upload.name,
});

export const abandonedReply = (): BareReply => new BareReply(204, { 'Tus-Resumable': TUS_VERSION });
