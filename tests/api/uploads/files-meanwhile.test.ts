import { afterAll, expect, test } from 'vitest';
import { expireUploads, forgetNaming } from '#shared/actions/uploads/uploads.ts';
import { withCalls } from '#tests/harness/log.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { attachmentAt, getAt, upload } from './files.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo], { invite_only: true });
afterAll(() => service.stop());

const send = (url: string) => ada.send(room.name, 'files', `[file](${url})`);
const idsOf = async (url: string) => (await attachmentAt(ada, url))?.message_ids;

test('Deleting a message a second time detaches no file, and writes nothing', async () => {
  const url = await upload(ada);
  const [gone, stays] = [await send(url), await send(url)];
  await ada.delete(`/messages/${gone}`);
  await service.settle();
  expect(await idsOf(url)).toEqual([stays]);
  service.meter.reset();
  await forgetNaming(service.services, [
    { messageId: gone, uploads: [url.slice('/user_uploads/'.length)] },
    { messageId: gone, uploads: ['2/there-is-no-such-file'] },
  ]);
  expect(service.meter.write).toBe(0);
  expect(await idsOf(url)).toEqual([stays]);
});

test('A file without stored bytes answers like a deleted one', async () => {
  const url = await upload(ada);
  const { files } = service.services;
  const { find } = files;
  files.find = async () => undefined;
  const reply = await getAt(url, ada);
  files.find = find;
  expectRefusal(reply, 'This file does not exist or has been deleted.', { status: 404 });
  expect((await getAt(url, ada)).status).toBe(200);
});

test('An unlinked file stays if a message links to it while the sweep runs', async () => {
  const url = await upload(ada);
  service.advance(24 * 3600 * 1000 + 60_000);
  let messageId = 0;
  const late = withCalls(service.services, (table) => ({
    page: async (query) => {
      const page = await table.page(query);
      messageId ||= await send(url);
      return page;
    },
  }));
  await expireUploads(late);
  expect(await idsOf(url)).toEqual([messageId]);
  expect((await getAt(url, bo)).status).toBe(200);
});
