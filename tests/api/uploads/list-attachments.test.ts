import { afterAll, describe, expect, test } from 'vitest';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { upload } from './files.ts';

const service = await startTestService();
afterAll(() => service.stop());

describe('The list of attachments', () => {
  test('Has the files of the caller, the oldest first, and the space used by everyone', async () => {
    const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
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
      const ageSeconds = Math.floor(service.services.clock.nowMs() / 1000) - one.create_time;
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
  });
});
