import { describe, expect, test } from 'vitest';
import { deliverScheduledMessage } from '#functions/workers/deliver-scheduled-message.ts';
import { sweep } from '#functions/workers/sweep.ts';
import { expireUploads, forgetNaming } from '#shared/actions/uploads/uploads.ts';
import { roles } from '#shared/domain/users/user.ts';
import { uploadKeys } from '#shared/table/keys/uploads.ts';
import type { Client } from '#tests/harness/client.ts';
import { withCalls } from '#tests/harness/log.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { schedule } from '../scheduled-messages/schedules.ts';
import { attachmentAt, expectNoFile, getAt, listFiles, upload } from './files.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', roles.guest);
const room = await createChannel(service, [ada, bo], { invite_only: true });

const link = (...urls: string[]) => urls.map((url) => `[file](${url})`).join(' and ');
const send = (...urls: string[]) => ada.send(room.name, 'files', link(...urls));
const idsOf = async (url: string) => (await attachmentAt(ada, url))?.message_ids;
const listenForFiles = (client: Client) =>
  client.listen({ event_types: ['attachment', 'message', 'update_message'] });
/** The update of a file's record for its owner. */
const updateOf = async (url: string) => ({
  id: expect.any(Number),
  type: 'attachment',
  op: 'update',
  attachment: await attachmentAt(ada, url),
  upload_space_used: (await listFiles(ada)).upload_space_used,
});

describe('A message that links to a file', () => {
  test('Appears among the file’s messages, and its owner gets that event before the message', async () => {
    const url = await upload(ada);
    const [own, others] = await Promise.all([listenForFiles(ada), listenForFiles(bo)]);
    const messageId = await send(url);
    const [update, ...later] = await own.drain();
    expect(update).toEqual(await updateOf(url));
    expect(update?.attachment.message_ids).toEqual([messageId]);
    expect(later).toMatchObject([{ type: 'message', message: { id: messageId } }]);
    expect((await others.drain()).map(({ type }) => type)).toEqual(['message']);
  });

  test('Looks the same to a client that registers afterwards', async () => {
    const [first, second] = [await upload(ada), await upload(ada)];
    await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () => {
      const messageId = await send(first, second);
      await ada.patch(`/messages/${messageId}`, { content: link(second) });
      await ada.sendDirect([guest.userId], link(first));
    });
  });

  test('Counts each file once, also by the whole address, and twenty at most', async () => {
    const urls: string[] = [];
    for (let n = 0; n < 21; n++) urls.push(await upload(ada));
    const [first = '', ...others] = urls;
    const messageId = await ada.send(room.name, 'files', `${service.url}${first} ${link(first, ...others)}`);
    const named = await Promise.all(urls.map(idsOf));
    expect(named.map((ids) => ids.length)).toEqual([...Array(20).fill(1), 0]);
    expect(named[0]).toEqual([messageId]);
  });

  test('May have the address within a sentence', async () => {
    const url = await upload(ada, 'why not?');
    const address = `${service.url}${url}`;
    const messageId = await ada.send(room.name, 'files', `see ${address}, and ${address}.`);
    expect(await idsOf(url)).toEqual([messageId]);
  });

  test('Costs nothing more without links, or with a link to a missing file', async () => {
    await ada.send(room.name, 'cost', 'the first of its topic');
    await ada.send(room.name, 'cost', 'the second, which finds the topic there');
    const cost = (content: string) => unitsOf(service, () => ada.send(room.name, 'cost', content));
    const plain = await cost('not a file');
    const absent = await cost('[a](/user_uploads/2/1-99/00000000-0000-0000-0000-000000000000/x)');
    expect(absent).toEqual({ read: plain.read + 1, write: plain.write });
    const named = await cost(link(await upload(ada)));
    expect(named.read).toBeLessThanOrEqual(plain.read + 3);
    expect(named.write).toBeLessThanOrEqual(plain.write + 8);
  });

  test('Gives no access to a file that two hundred messages link to already', async () => {
    const url = await upload(ada);
    const { id } = await attachmentAt(ada, url);
    const messageIds = Array.from({ length: 200 }, (_, n) => 1_000_000 + n);
    const key = uploadKeys.upload(ada.userId, id);
    await service.services.table.write({ kind: 'update', key, set: { messageIds } });
    await ada.sendDirect([guest.userId], link(url));
    expect(await idsOf(url)).toEqual(messageIds);
    expect((await getAt(url, guest)).status).toBe(404);
  });
});

describe('Editing a message', () => {
  test('Gives access to newly linked files, removes others, and names the detached ones', async () => {
    const [before, after] = [await upload(ada), await upload(ada)];
    const messageId = await send(before);
    const own = await listenForFiles(ada);
    const { body } = await ada.patch(`/messages/${messageId}`, { content: link(after) });
    expect(body.detached_uploads).toEqual([await attachmentAt(ada, before)]);
    expect(body.detached_uploads[0].message_ids).toEqual([]);
    expect(await idsOf(after)).toEqual([messageId]);
    expect((await getAt(before, bo)).status).toBe(404);
    expect((await getAt(after, bo)).status).toBe(200);
    const received = (await own.drain()).filter(({ type }) => type === 'attachment');
    expect(received).toEqual([await updateOf(after), await updateOf(before)]);
  });

  test('Does not name files that another message links to, or of another owner', async () => {
    const [own, others] = [await upload(ada), await upload(bo)];
    await send(own);
    await bo.send(room.name, 'files', link(others));
    const messageId = await send(own, others);
    await bo.delete(`/messages/${messageId - 1}`);
    const { body } = await ada.patch(`/messages/${messageId}`, { content: 'nothing' });
    expect(body.detached_uploads).toEqual([]);
  });

  test('Works together with a change of the topic', async () => {
    const [before, after] = [await upload(ada), await upload(ada)];
    const messageId = await send(before);
    await send(before);
    const changes = { content: link(after), topic: 'moved with files', propagate_mode: 'change_all' };
    expect((await ada.patch(`/messages/${messageId}`, changes)).body.msg).toBe('');
    await service.settle();
    expect(await idsOf(after)).toEqual([messageId]);
    expect(await idsOf(before)).toEqual([messageId + 1]);
  });

  test('Changes nothing of files that stay', async () => {
    const url = await upload(ada);
    const messageId = await send(url);
    const own = await listenForFiles(ada);
    await ada.patch(`/messages/${messageId}`, { content: `still ${link(url)}` });
    expect((await own.drain()).map(({ type }) => type)).toEqual(['update_message']);
    expect(await idsOf(url)).toEqual([messageId]);
  });
});

describe('Deleting messages with files', () => {
  test('Removes access to its files, and notifies the owner', async () => {
    const url = await upload(ada);
    const [first, second] = [await send(url), await send(url)];
    const own = await ada.listen({ event_types: ['attachment'] });
    expect((await ada.delete(`/messages/${first}`)).status).toBe(200);
    await service.settle();
    expect(await idsOf(url)).toEqual([second]);
    expect((await getAt(url, bo)).status).toBe(200);
    expect((await ada.delete(`/messages/${second}`)).status).toBe(200);
    expect((await getAt(url, bo)).status).toBe(404);
    await service.settle();
    expect((await own.drain()).map(({ attachment }) => attachment.message_ids)).toEqual([[second], []]);
    expect((await getAt(url, ada)).status).toBe(200);
  });

  test('Happens by retention too', async () => {
    const [url, kept] = [await upload(ada), await upload(ada)];
    const { channelId: forgetful } = await createChannel(service, [service.owner, ada]);
    await service.owner.patch(`/streams/${forgetful}`, { message_retention_days: 1 });
    await ada.send(forgetful, 'files', link(url, kept));
    await ada.send(forgetful, 'files', link(kept, url));
    const lasting = await send(kept);
    service.advance(2 * 24 * 3600 * 1000);
    await sweep(service.services);
    expect(await idsOf(url)).toEqual([]);
    expect(await idsOf(kept)).toEqual([lasting]);
  });
});

test('A scheduled message gives access to its files when it is sent', async () => {
  const url = await upload(ada);
  const scheduled_delivery_timestamp = Math.floor(service.services.clock.nowMs() / 1000) + 300;
  const message = { to: room.channelId, content: link(url), scheduled_delivery_timestamp };
  const scheduledMessageId = await schedule(ada, message);
  expect((await getAt(url, bo)).status).toBe(404);
  service.advance(300_000);
  await deliverScheduledMessage(service.services, { userId: ada.userId, scheduledMessageId });
  expect(await idsOf(url)).toHaveLength(1);
  expect((await getAt(url, bo)).status).toBe(200);
});

describe('A file without a message', () => {
  const HOURS = 3600 * 1000;

  test('Gets deleted after a day, unless a draft, snippet or scheduled message of its owner links to it', async () => {
    const named = await upload(ada);
    await send(named);
    const [lost, drafted, saved] = [await upload(ada), await upload(ada), await upload(ada)];
    const draft = { type: 'stream', to: [room.channelId], topic: 'files', content: link(drafted) };
    const drafts = await ada.post('/drafts', { drafts: [draft] });
    await ada.post('/saved_snippets', { title: 'file', content: link(saved) });
    const left = await upload(ada);
    const messageId = await send(left);
    service.advance(20 * HOURS);
    await ada.patch(`/messages/${messageId}`, { content: 'none' });
    await service.owner.delete(`/messages/${messageId}`);
    await sweep(service.services);
    expect((await getAt(lost, ada)).status).toBe(200);
    service.advance(4 * HOURS + 1000);
    const own = await ada.listen({ event_types: ['attachment'] });
    await sweep(service.services);
    await service.settle();
    expect((await getAt(lost, ada)).status).toBe(404);
    expect((await own.drain()).map(({ op }) => op)).toContain('remove');
    for (const url of [named, drafted, saved, left]) expect((await getAt(url, ada)).status).toBe(200);
    await ada.delete(`/drafts/${drafts.body.ids[0]}`);
    service.advance(24 * HOURS + 1000);
    await sweep(service.services);
    expect((await getAt(drafted, ada)).status).toBe(404);
    expect((await getAt(saved, ada)).status).toBe(200);
  });
});

test('Deleting a message a second time detaches no file, and writes nothing', async () => {
  const url = await upload(ada);
  const [gone, stays] = [await send(url), await send(url)];
  await ada.delete(`/messages/${gone}`);
  await service.settle();
  expect(await idsOf(url)).toEqual([stays]);
  const [known, unknown] = [url.slice('/user_uploads/'.length), '2/there-is-no-such-file'];
  const naming = [known, unknown].map((upload) => ({ messageId: gone, uploads: [upload] }));
  const { write } = await unitsOf(service, () => forgetNaming(service.services, naming));
  expect(write).toBe(0);
  expect(await idsOf(url)).toEqual([stays]);
});

test('A file without stored bytes answers like a deleted one', async () => {
  const url = await upload(ada);
  const { files } = service.services;
  const { find } = files;
  files.find = async () => undefined;
  const reply = await getAt(url, ada);
  files.find = find;
  expectNoFile(reply);
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
