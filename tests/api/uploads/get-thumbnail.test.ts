// The operations getThumbnail and getThumbnailStatus.
import { describe, expect, test } from 'vitest';
import { storeUpload } from '#shared/actions/uploads/keep-upload.ts';
import type { User } from '#shared/domain/users/user.ts';
import { send } from '#tests/harness/anonymous.ts';
import { lookAt, makePicture, type PictureOptions } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { attachmentAt, getAt, upload } from './files.ts';

const MISSING = 'This file does not exist or has been deleted.';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const uploadPicture = async (options: PictureOptions = {}, name = 'picture.png', type = 'image/png') =>
  upload(ada, name, { type, content: await makePicture(options) });
const statusOf = (url: string) => `/thumbnail/status/${url.slice('/user_uploads/'.length)}`;
const thumbnailOf = (url: string, form = '840x560.webp') =>
  `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${form}`;

describe('The thumbnail of a picture', () => {
  test('Exists for files of 32 MiB at most, since a larger one might not fit into memory', async () => {
    const content = await makePicture();
    const imageOf = async (size: number) => {
      const sent = {
        name: 'picture.png',
        mediaType: 'image/png',
        size,
        async *pieces() {
          yield content;
        },
      };
      const owner = { userId: ada.userId } as User;
      return (await storeUpload(service.services, owner, sent, async (kept) => kept)).image;
    };
    expect(await imageOf(33_554_432)).toMatchObject({ width: 40, height: 30 });
    expect(await imageOf(33_554_433)).toBeUndefined();
  });

  test.each([
    [
      { width: 1680, height: 1120 },
      { width: 840, height: 560 },
    ],
    [
      { width: 200, height: 1120 },
      { width: 100, height: 560 },
    ],
    [
      { width: 40, height: 30 },
      { width: 40, height: 30 },
    ],
  ])('Reduces %j to a WebP of %j', async (size, shown) => {
    const reply = await getAt(thumbnailOf(await uploadPicture(size)), ada);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('image/webp');
    expect(await lookAt(reply.body)).toMatchObject({ kind: 'webp', ...shown, frames: 1 });
  });

  test.each([
    ['jpg', 'image/jpeg'],
    ['webp', 'image/webp'],
    ['gif', 'image/gif'],
  ] as const)('Exists for %s too; animations show their first frame', async (kind, type) => {
    const colours: PictureOptions['colours'] =
      kind === 'gif'
        ? [
            [0, 0, 255],
            [255, 0, 0],
          ]
        : [[0, 0, 255]];
    const reply = await getAt(thumbnailOf(await uploadPicture({ kind, colours }, `a.${kind}`, type)), ada);
    const { frames, middle } = await lookAt(reply.body);
    expect(frames).toBe(1);
    expect(middle[2]).toBeGreaterThan(200);
  });

  test('Has the name and size in register', async () => {
    const { snapshot } = await ada.register({ fetch_event_types: ['realm'] });
    expect(snapshot.server_thumbnail_formats).toEqual([
      { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
    ]);
  });

  test('Requires the right to read the picture', async () => {
    const url = await uploadPicture();
    expectRefusal(await getAt(thumbnailOf(url), bo), MISSING, { status: 404 });
    expect((await getAt(thumbnailOf(url), undefined, service.url)).status).toBe(401);
    await ada.sendDirect([bo.userId], `[here](${url})`);
    expect((await getAt(thumbnailOf(url), bo)).status).toBe(200);
  });

  test('Does not exist in other formats, nor for files that are no pictures', async () => {
    const url = await uploadPicture();
    const text = await upload(ada, 'a.txt');
    const liar = await upload(ada, 'a.png', { type: 'image/png', content: '<svg onload=alert(1)>' });
    const all = [
      thumbnailOf(url, '100x100.webp'),
      thumbnailOf(url, '..'),
      thumbnailOf(text),
      thumbnailOf(liar),
      '/user_uploads/thumbnail/2/840x560.webp',
      '/user_uploads/thumbnail/2/x/840x560.webp',
    ];
    for (const wrong of all) expectRefusal(await getAt(wrong, ada), MISSING, { status: 404 });
  });

  test('Ends with the picture', async () => {
    const url = await uploadPicture();
    const { files } = service.services;
    const name = `uploads/${/[0-9a-f-]{36}/.exec(url)?.[0]}-840x560.webp`;
    expect(await files.find(name)).toBeDefined();
    await ada.delete(`/attachments/${(await attachmentAt(ada, url)).id}`);
    await service.settle();
    expect(await files.find(name)).toBeUndefined();
  });
});

describe('The thumbnail status', () => {
  test('Returns true for a picture as soon as it exists, and false for other files', async () => {
    const picture = await upload(ada, 'a.png', { type: 'image/png', content: await makePicture() });
    const broken = await upload(ada, 'b.png', { type: 'image/png', content: 'no picture' });
    const text = await upload(ada);
    for (const [url, has_thumbnail] of [
      [picture, true],
      [broken, false],
      [text, false],
    ] as const)
      expect((await ada.get(statusOf(url))).body).toMatchObject({ has_thumbnail });
  });

  test('Requires the right to read the file', async () => {
    const url = await upload(ada, 'a.png', { type: 'image/png', content: await makePicture() });
    expectRefusal(await bo.get(statusOf(url)), 'This file does not exist or has been deleted.', {
      status: 404,
    });
    expect((await send(service.url, statusOf(url))).status).toBe(401);
    await ada.sendDirect([bo.userId], `[a](${url})`);
    expect((await bo.get(statusOf(url))).body.has_thumbnail).toBe(true);
  });
});
