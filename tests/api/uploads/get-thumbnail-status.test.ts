import { afterAll, describe, expect, test } from 'vitest';
import { send } from '#tests/harness/anonymous.ts';
import { makePicture } from '#tests/harness/pictures.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { upload } from './files.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
afterAll(() => service.stop());

const pathOf = (url: string) => `/thumbnail/status/${url.slice('/user_uploads/'.length)}`;

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
      expect((await ada.get(pathOf(url))).body).toMatchObject({ has_thumbnail });
  });

  test('Requires the right to read the file', async () => {
    const url = await upload(ada, 'a.png', { type: 'image/png', content: await makePicture() });
    expectRefusal(await bo.get(pathOf(url)), 'This file does not exist or has been deleted.', {
      status: 404,
    });
    expect((await send(service.url, pathOf(url))).status).toBe(401);
    await ada.sendDirect([bo.userId], `[a](${url})`);
    expect((await bo.get(pathOf(url))).body.has_thumbnail).toBe(true);
  });
});
