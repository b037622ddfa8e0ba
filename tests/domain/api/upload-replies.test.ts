import { expect, test } from 'vitest';
import { sendUpload } from '#shared/api/files/upload-reply.ts';
import { FileReply, Redirect } from '#shared/api/replies.ts';
import { type Upload, uploadFile } from '#shared/domain/uploads/upload.ts';
import type { Services, ShownAs } from '#shared/runtime/services.ts';

const MAX_BYTES = 4_194_304;

const services = {
  files: {
    find: async () => new Uint8Array(3),
    downloadUrl: async (name: string, seconds: number, shownAs: ShownAs) =>
      `https://files.example.com/${JSON.stringify({ name, seconds, shownAs })}`,
  },
} as unknown as Services;
const uploadOf = (size: number): Upload => ({
  ownerId: 1,
  uploadId: 2,
  uuid: 'u',
  name: 'film.mp4',
  size,
  mediaType: 'video/mp4',
  createdAtSeconds: 0,
  messageIds: [],
  revision: 1,
});

test('A file up to four mebibytes is the reply, and a larger one has an address for an hour', async () => {
  expect(await sendUpload(services, uploadOf(MAX_BYTES))).toBeInstanceOf(FileReply);
  const larger = uploadOf(MAX_BYTES + 1);
  const shownAs = {
    contentType: 'video/mp4',
    contentDisposition: `inline; filename="film.mp4"; filename*=UTF-8''film.mp4`,
  };
  const wanted = JSON.stringify({ name: uploadFile(larger), seconds: 3_600, shownAs });
  expect(await sendUpload(services, larger)).toEqual(new Redirect(`https://files.example.com/${wanted}`));
});
