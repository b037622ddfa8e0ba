import { formOf } from '#tests/api/uploads/files.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import type { World } from './world.ts';

const uploadOf = async ({ caller }: World): Promise<string> => {
  const { body } = await caller.post('/user_uploads', {}, { rawBody: toForm(new Uint8Array([1, 2, 3])) });
  return body.url;
};
/** A file that a message of the channel names. */
const sharedFileOf = async (world: World) => {
  const url = await uploadOf(world);
  await world.caller.send(world.channel, 'topic', `[file](${url})`);
  const [, , realm_id_str, ...filename] = url.split('/');
  return { realm_id_str, filename: filename.join('/') };
};

/** Of files that people upload. */
export const uploadSamples = {
  uploadFile: () => ({}),
  getFile: sharedFileOf,
  getFileUrl: sharedFileOf,
  getTemporaryFile: async (world: World) => {
    const { body } = await world.caller.get(await uploadOf(world));
    const [, , , key, ...filename] = body.url.split('/');
    return { key, filename: filename.join('/') };
  },
  getThumbnail: async (world: World) => {
    const rawBody = formOf({ name: 'picture.png', type: 'image/png', content: await makePicture() });
    const { body } = await world.caller.post('/user_uploads', {}, { rawBody });
    await world.caller.send(world.channel, 'topic', `[picture](${body.url})`);
    const [, , realm_id_str, ...filename] = body.url.split('/');
    return { realm_id_str, filename: `${filename.join('/')}/840x560.webp` };
  },
  listAttachments: () => ({}),
  deleteAttachment: async (world: World) => {
    await uploadOf(world);
    const { body } = await world.caller.get('/attachments');
    return { attachment_id: body.attachments.at(-1).id };
  },
};
