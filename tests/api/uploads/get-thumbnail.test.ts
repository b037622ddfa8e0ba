// The operations getFileUrl, getTemporaryFile, getThumbnail and getThumbnailStatus.
import { describe, expect, test } from 'vitest';
import { storeUpload } from '#shared/actions/uploads/keep-upload.ts';
import type { User } from '#shared/domain/users/user.ts';
import { send } from '#tests/harness/anonymous.ts';
import type { Client } from '#tests/harness/client.ts';
import { lookAt, makePicture, type PictureOptions } from '#tests/harness/pictures.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { deleteFile, expectNoFile, getAt, textOf, upload } from './files.ts';

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
      async function* pieces() {
        yield content;
      }
      const sent = { name: 'picture.png', mediaType: 'image/png', size, pieces };
      const owner = { userId: ada.userId } as User;
      return (await storeUpload(service.services, owner, sent, async (kept) => kept)).image;
    };
    expect(await imageOf(33_554_432)).toMatchObject({ width: 40, height: 30 });
    expect(await imageOf(33_554_433)).toBeUndefined();
  });

  test.each([
    [1680, 1120, 840, 560],
    [200, 1120, 100, 560],
    [40, 30, 40, 30],
  ])('Reduces %i x %i to a WebP of %i x %i', async (width, height, shownWidth, shownHeight) => {
    const reply = await getAt(thumbnailOf(await uploadPicture({ width, height })), ada);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('image/webp');
    const shown = { kind: 'webp', width: shownWidth, height: shownHeight, frames: 1 };
    expect(await lookAt(reply.body)).toMatchObject(shown);
  });

  test.each([
    ['jpg', 'image/jpeg'],
    ['webp', 'image/webp'],
    ['gif', 'image/gif'],
  ] as const)('Exists for %s too; animations show their first frame', async (kind, type) => {
    const [blue, red]: Required<PictureOptions>['colours'] = [
      [0, 0, 255],
      [255, 0, 0],
    ];
    const colours = kind === 'gif' ? [blue!, red!] : [blue!];
    const reply = await getAt(thumbnailOf(await uploadPicture({ kind, colours }, `a.${kind}`, type)), ada);
    const { frames, middle } = await lookAt(reply.body);
    expect(frames).toBe(1);
    expect(middle[2]).toBeGreaterThan(200);
  });

  test('Has the name and size in register', async () => {
    const { snapshot } = await ada.register({ fetch_event_types: ['realm'] });
    const format = { max_width: 840, max_height: 560, format: 'webp', animated: false };
    expect(snapshot.server_thumbnail_formats).toEqual([{ name: '840x560.webp', ...format }]);
  });

  test('Requires the right to read the picture', async () => {
    const url = await uploadPicture();
    expectNoFile(await getAt(thumbnailOf(url), bo));
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
    for (const wrong of all) expectNoFile(await getAt(wrong, ada));
  });

  test('Ends with the picture', async () => {
    const url = await uploadPicture();
    const { files } = service.services;
    const name = `uploads/${/[0-9a-f-]{36}/.exec(url)?.[0]}-840x560.webp`;
    expect(await files.find(name)).toBeDefined();
    await deleteFile(ada, url);
    await service.settle();
    expect(await files.find(name)).toBeUndefined();
  });
});

describe('The thumbnail status', () => {
  test('Returns true for a picture as soon as it exists, and false for other files', async () => {
    const picture = await upload(ada, 'a.png', { type: 'image/png', content: await makePicture() });
    const broken = await upload(ada, 'b.png', { type: 'image/png', content: 'no picture' });
    const text = await upload(ada);
    const hasThumbnail = async (url: string) => (await ada.get(statusOf(url))).body.has_thumbnail;
    expect(await Promise.all([picture, broken, text].map(hasThumbnail))).toEqual([true, false, false]);
  });

  test('Requires the right to read the file', async () => {
    const url = await uploadPicture();
    expectNoFile(await bo.get(statusOf(url)));
    expect((await send(service.url, statusOf(url))).status).toBe(401);
    await ada.sendDirect([bo.userId], `[a](${url})`);
    expect((await bo.get(statusOf(url))).body.has_thumbnail).toBe(true);
  });
});

const temporary = async (client: Client, url: string): Promise<string> => {
  const { status, body } = await client.get(url);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.url;
};
const getFrom = (url: string) => getAt(url, undefined, service.url);

describe('A temporary address', () => {
  test('Returns the file to anyone who has the address, for a minute', async () => {
    const file = await upload(ada, 'notes.txt', { content: 'secret plan' });
    const { clock } = service.services;
    const { nowMs } = clock;
    let atMs = clock.nowMs();
    // A slow machine would pass the last second.
    clock.nowMs = () => atMs;
    const url = await temporary(ada, file);
    expect(url).toMatch(/^\/user_uploads\/temporary\/.*notes\.txt$/);
    expect(textOf(await getFrom(url))).toBe('secret plan');
    atMs += 60_000;
    expect((await getFrom(url)).status).toBe(200);
    atMs += 1_000;
    expectNoFile(await getFrom(url));
    clock.nowMs = nowMs;
  });

  test('Requires the right to read the file', async () => {
    const url = await upload(ada);
    expectNoFile(await bo.get(url));
    expectNoFile(await bo.get('/user_uploads/2/1-1/x/y'));
    await ada.sendDirect([bo.userId], `[here](${url})`);
    expect((await getFrom(await temporary(bo, url))).status).toBe(200);
  });

  test('Has the same security headers as the file itself', async () => {
    const url = await temporary(ada, await upload(ada, 'a.html', { type: 'text/html', content: '<p>' }));
    const { headers } = await getFrom(url);
    expect(headers.get('content-disposition')).toMatch(/^attachment/);
    expect(headers.get('content-security-policy')).toContain('sandbox');
  });

  test('Leads to no other file, and not for longer', async () => {
    const [file, otherFile] = [await upload(ada), await upload(ada)];
    const url = await temporary(ada, file);
    const swapped = url.replace(file.slice('/user_uploads'.length), otherFile.slice('/user_uploads'.length));
    expect(swapped).not.toBe(url);
    const longer = url.replace(/temporary\/(\d+)/, (_all, until) => `temporary/${Number(until) + 1000}`);
    for (const wrong of [swapped, longer, url.replace(/temporary\/[^/]+/, 'temporary/0-x'), `${url}x`])
      expectNoFile(await getFrom(wrong));
  });

  test('Ends with the file', async () => {
    const file = await upload(ada);
    const url = await temporary(ada, file);
    await deleteFile(ada, file);
    expectNoFile(await getFrom(url));
  });
});
