import * as z from 'zod/mini';
import { keepUpload } from '#shared/actions/uploads/keep-upload.ts';
import { awsServices } from '#shared/adapters/aws-services.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { MAX_UPLOAD_MEBIBYTES } from '#shared/api/files/uploads.ts';
import { lambda } from '#shared/api/lambda.ts';
import { BadRequest, UploadQuotaExceeded } from '#shared/domain/errors.ts';
import { readFileName, uploadUrl } from '#shared/domain/uploads/upload.ts';

/** Uploads a file, which the caller and the readers of messages that link to it may read. */
export const uploadFile = endpoint({
  route: 'POST /user_uploads',
  summary: 'Upload a file',
  allow: 'user',
  scope: 'send',
  creates: true,
  params: {},
  files: {
    count: 1,
    noneError: 'You must specify a file to upload',
    countError: 'You may only upload one file at a time',
    maxMebibytes: MAX_UPLOAD_MEBIBYTES,
  },
  result: z.object({ url: z.string(), uri: z.string(), filename: z.string() }),
  errors: [BadRequest, UploadQuotaExceeded],
  emits: ['attachment/add'],
  uses: { table: 'write', areas: ['uploads'], files: 'write', folders: ['uploads'], images: true },
  memoryMegabytes: 1769,
  async handle(_params, { services, caller, retry, files }) {
    const [file = { name: '', mediaType: '', bytes: new Uint8Array() }] = files;
    const input = {
      name: readFileName(file.name),
      mediaType: file.mediaType,
      size: file.bytes.length,
      pieces: async function* () {
        yield file.bytes;
      },
    };
    return keepUpload(services, retry, caller, input, (upload) => {
      const url = uploadUrl(upload);
      return { url, uri: url, filename: upload.name };
    });
  },
});

export const handler = lambda(uploadFile, awsServices);
