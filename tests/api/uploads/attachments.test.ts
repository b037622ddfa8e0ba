// The operations deleteAttachment and listAttachments.
import { describe, expect, test } from 'vitest';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { attachmentAt, getAt, upload } from './files.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const storedName = (url: string): string => `uploads/${/[0-9a-f-]{36}/.exec(url)?.[0]}`;

describe('Deleting a file', () => {
  test('Deletes its record and bytes, and frees its quota', async () => {
    const url = await upload(ada, 'a.txt', { content: 'four' });
    const { id } = await attachmentAt(ada, url);
    const queue = await ada.listen();
    const others = await bo.listen();
    expect(await service.services.files.find(storedName(url))).toBeDefined();
    await expectConsistentSnapshot(service, [service.owner, ada, bo], () => ada.delete(`/attachments/${id}`));
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

  test('Leaves the messages that link to it, whose link answers 404', async () => {
    const url = await upload(ada);
    const messageId = await ada.sendDirect([bo.userId], `[a](${url})`);
    await ada.delete(`/attachments/${(await attachmentAt(ada, url)).id}`);
    expect((await bo.get(`/messages/${messageId}`)).body.raw_content).toBe(`[a](${url})`);
    expect((await getAt(url, bo)).status).toBe(404);
  });

  test('Succeeds once', async () => {
    const { id } = await attachmentAt(ada, await upload(ada));
    const replies = await Promise.all([1, 2, 3].map(() => ada.delete(`/attachments/${id}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });
});

describe('The list of attachments', () => {
  test('Has the files of the caller, the oldest first, and the space used by everyone', async () => {
    const fresh = await startTestService();
    const [ada, bo] = await createUsers(fresh, 'Ada', 'Bo');
    expect((await ada.get('/attachments')).body).toMatchObject({ attachments: [], upload_space_used: 0 });
    const first = await upload(ada, 'a.txt', { content: 'one' });
    await upload(bo, 'b.txt', { content: 'three' });
    const second = await upload(ada, 'A b.txt', { content: '' });
    const messageId = await ada.sendDirect([bo.userId], `[x](${first})`);
    const { body } = await ada.get('/attachments');
    const record = (url: string) => ({
      id: expect.any(Number),
      path_id: url.slice('/user_uploads/'.length),
      create_time: expect.any(Number),
    });
    for (const one of body.attachments) {
      const ageSeconds = Math.floor(fresh.services.clock.nowMs() / 1000) - one.create_time;
      expect(ageSeconds).toBeLessThan(60);
    }
    expect(body).toEqual({
      result: 'success',
      msg: '',
      attachments: [
        { ...record(first), name: 'a.txt', size: 3, message_ids: [messageId] },
        { ...record(second), name: 'A b.txt', size: 0, message_ids: [] },
      ],
      upload_space_used: 8,
    });
    await fresh.stop();
  });
});
