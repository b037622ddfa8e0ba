import { afterAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { attachmentAt, getAt, upload } from './files.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
afterAll(() => service.stop());

const storedName = (url: string): string => `uploads/${/[0-9a-f-]{36}/.exec(url)?.[0]}`;

describe('Deleting a file', () => {
  test('Deletes its record and bytes, and frees its quota', async () => {
    const url = await upload(ada, 'a.txt', { content: 'four' });
    const { id } = await attachmentAt(ada, url);
    const queue = await ada.listen();
    const others = await bo.listen();
    expect(await service.services.files.find(storedName(url))).toBeDefined();
    expect((await ada.delete(`/attachments/${id}`)).status).toBe(200);
    await service.settle();
    expect((await getAt(url, ada)).status).toBe(404);
    expect(await service.services.files.find(storedName(url))).toBeUndefined();
    const { body } = await ada.get('/attachments');
    expect(body).toMatchObject({ attachments: [], upload_space_used: 0 });
    expect(await queue.drain()).toEqual([
      { id: expect.any(Number), type: 'attachment', op: 'remove', attachment: { id }, upload_space_used: 0 },
    ]);
    expect(await others.drain()).toEqual([]);
  });

  test('Looks the same to a client that registers afterwards', async () => {
    const { id } = await attachmentAt(ada, await upload(ada));
    await expectConsistentSnapshot(service, [service.owner, ada, bo], () => ada.delete(`/attachments/${id}`));
  });

  test('Leaves the messages that link to it, whose link answers 404', async () => {
    const url = await upload(ada);
    const messageId = await ada.sendDirect([bo.userId], `[a](${url})`);
    await ada.delete(`/attachments/${(await attachmentAt(ada, url)).id}`);
    expect((await bo.get(`/messages/${messageId}`)).body.raw_content).toBe(`[a](${url})`);
    expect((await getAt(url, bo)).status).toBe(404);
  });

  test('Works only for its owner', async () => {
    const url = await upload(ada);
    const { id } = await attachmentAt(ada, url);
    for (const other of [bo, service.owner])
      expectRefusal(await other.delete(`/attachments/${id}`), 'Invalid attachment');
    expect((await getAt(url, ada)).status).toBe(200);
  });

  test.each([0, -1, 999_999, 9_007_199_254_740_991])(
    'Answers an error for %i, which does not exist',
    async (id) => {
      expectRefusal(await ada.delete(`/attachments/${id}`), 'Invalid attachment');
    },
  );

  test('Succeeds once', async () => {
    const { id } = await attachmentAt(ada, await upload(ada));
    const replies = await Promise.all([1, 2, 3].map(() => ada.delete(`/attachments/${id}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });
});
