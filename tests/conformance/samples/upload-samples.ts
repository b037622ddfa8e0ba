import { PIECE_TYPE } from '#shared/domain/uploads/tus.ts';
import { formOf } from '#tests/api/uploads/files.ts';
import { keep } from '#tests/conformance/kept.ts';
import type { World } from '#tests/conformance/world.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';

const uploadOf = async ({ caller }: World): Promise<string> => {
  const { body } = await caller.post('/user_uploads', {}, { rawBody: toForm(new Uint8Array([1, 2, 3])) });
  return body.url;
};
/** A file that a message of the channel names. */
const sharedFile = (world: World) =>
  keep(world, 'a shared file', async () => {
    const url = await uploadOf(world);
    await world.caller.send(world.channel, 'topic', `[file](${url})`);
    const [, , realm_id_str, ...filename] = url.split('/');
    return { realm_id_str, filename: filename.join('/') };
  });
/** A picture that a message of the channel shows. */
const sharedPicture = (world: World) =>
  keep(world, 'a shared picture', async () => {
    const rawBody = formOf({ name: 'picture.png', type: 'image/png', content: await makePicture() });
    const { body } = await world.caller.post('/user_uploads', {}, { rawBody });
    await world.caller.send(world.channel, 'topic', `[picture](${body.url})`);
    const [, , realm_id_str, ...filename] = body.url.split('/');
    return { realm_id_str, filename: `${filename.join('/')}/840x560.webp` };
  });

/** Says that the file is a picture. */
const PNG = `filename ${btoa('a.png')}`;
/** An upload of which one byte of two has come. */
const begin = async ({ service, caller }: World) => {
  const reply = await fetch(`${service.url}/api/v1/tus/`, {
    method: 'POST',
    headers: {
      authorization: caller.authorization,
      'content-type': PIECE_TYPE,
      'upload-length': '2',
      'upload-metadata': PNG,
    },
    body: 'a',
  });
  return { upload_id: reply.headers.get('location')?.split('/').at(-1) ?? '' };
};

/** Samples of uploaded files. */
export const uploadSamples = {
  beginResumableUpload: () => ({ upload_length: 1, upload_metadata: PNG }),
  continueResumableUpload: async (world: World) => ({ ...(await begin(world)), upload_offset: 1 }),
  getResumableUpload: begin,
  abandonResumableUpload: begin,
  uploadFile: () => ({}),
  getFile: sharedFile,
  getFileUrl: sharedFile,
  getTemporaryFile: async (world: World) => {
    const { body } = await world.caller.get(await uploadOf(world));
    const [, , , key, ...filename] = body.url.split('/');
    return { key, filename: filename.join('/') };
  },
  getThumbnail: sharedPicture,
  getThumbnailStatus: sharedFile,
  listAttachments: () => ({}),
  deleteAttachment: async (world: World) => {
    await uploadOf(world);
    const { body } = await world.caller.get('/attachments');
    return { attachment_id: body.attachments.at(-1).id };
  },
};
