// The operations deleteAttachment and listAttachments.

import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Throttled } from '#shared/table/table.ts';
import type { Reply } from '#tests/harness/client.ts';
import { withCalls } from '#tests/harness/log.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { attachmentAt, deleteFile, formOf, getAt, listFiles, upload } from './files.ts';
import { PIECE_BYTES, TusClient } from './tus-client.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const storedName = (url: string): string => `uploads/${/[0-9a-f-]{36}/.exec(url)?.[0]}`;

describe('Deleting a file', () => {
  test('Deletes its record and bytes, and frees its quota', async () => {
    const url = await upload(ada, 'a.txt', { content: 'four' });
    const { id } = await attachmentAt(ada, url);
    const [queue, others] = await listenAll([ada, bo]);
    expect(await service.services.files.find(storedName(url))).toBeDefined();
    await expectConsistentSnapshot(service, [service.owner, ada, bo], () => ada.delete(`/attachments/${id}`));
    await service.settle();
    expect((await getAt(url, ada)).status).toBe(404);
    expect(await service.services.files.find(storedName(url))).toBeUndefined();
    expect(await listFiles(ada)).toMatchObject({ attachments: [], upload_space_used: 0 });
    const removal = { type: 'attachment', op: 'remove', attachment: { id }, upload_space_used: 0 };
    expect(await queue.drain()).toEqual([{ id: expect.any(Number), ...removal }]);
    expect(await others.drain()).toEqual([]);
  });

  test('Leaves the messages that link to it, whose link answers 404', async () => {
    const url = await upload(ada);
    const messageId = await ada.sendDirect([bo.userId], `[a](${url})`);
    await deleteFile(ada, url);
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
    const nowSeconds = fresh.services.clock.nowMs() / 1000;
    for (const { create_time } of body.attachments) expect(nowSeconds - create_time).toBeLessThan(60);
    const attachments = [
      { ...record(first), name: 'a.txt', size: 3, message_ids: [messageId] },
      { ...record(second), name: 'A b.txt', size: 0, message_ids: [] },
    ];
    expect(body).toEqual({ result: 'success', msg: '', attachments, upload_space_used: 8 });
  });
});

/** A transaction is made, but no answer to it comes, and none to the writes after it. */
async function withoutAnswer(act: () => Promise<Reply>): Promise<void> {
  const { services } = service;
  const { table } = services;
  let isLost = false;
  const noAnswer = () => Promise.reject(new Throttled('No answer came'));
  services.table = withCalls(services, () => ({
    async transact(...call) {
      await table.transact(...call);
      isLost = true;
      return noAnswer();
    },
    write: (...call) => (isLost ? noAnswer() : table.write(...call)),
  })).table;
  const reply = await act().finally(() => {
    services.table = table;
  });
  expect(reply.status).toBe(429);
}

test('The picture of an emoji stays if it is unknown whether the emoji was added', async () => {
  const rawBody = toForm(await makePicture());
  await withoutAnswer(() => ada.post('/realm/emoji/lost_reply', {}, { rawBody }));
  const { emoji } = (await ada.get('/realm/emoji')).body;
  const [added] = Object.values(emoji) as { name: string; source_url: string }[];
  expect(added?.name).toBe('lost_reply');
  expect((await getAt(added?.source_url ?? '', ada)).status).toBe(200);
});

test('A file stays if it is unknown whether it was recorded', async () => {
  const rawBody = formOf({ name: 'notes.txt', content: 'hello' });
  await withoutAnswer(() => ada.post('/user_uploads', {}, { rawBody }));
  const { path_id } = (await listFiles(ada)).attachments.at(-1);
  expect((await getAt(`/user_uploads/${path_id}`, ada)).status).toBe(200);
});

test('A piece of a file stays if it is unknown whether it was recorded', async () => {
  const tus = new TusClient(ada);
  const bytes = randomBytes(PIECE_BYTES + 1);
  const address = await tus.at(bytes.length);
  await withoutAnswer(() => tus.piece(address, 0, bytes.subarray(0, PIECE_BYTES)));
  expect(await tus.offsetOf(address)).toBe(PIECE_BYTES);
  const last = await tus.piece(address, PIECE_BYTES, bytes.subarray(PIECE_BYTES));
  expect(last.status, JSON.stringify(last.body)).toBe(200);
});
