import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Throttled } from '#shared/table/table.ts';
import type { Reply } from '#tests/harness/client.ts';
import { withCalls } from '#tests/harness/log.ts';
import { makePicture, toForm } from '#tests/harness/pictures.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { formOf, getAt } from './files.ts';
import { PIECE_BYTES, TusClient } from './tus-client.ts';

const service = await startTestService();
const [ada] = await createUsers(service, 'Ada');

/** A transaction is made, but no answer to it comes, and none to the writes after it. */
async function withoutAnswer(act: () => Promise<Reply>): Promise<void> {
  const { services } = service;
  const { table } = services;
  let isLost = false;
  const noAnswer = () => Promise.reject(new Throttled('No answer came'));
  services.table = withCalls(services, () => ({
    async transact(...given) {
      await table.transact(...given);
      isLost = true;
      return noAnswer();
    },
    write: (...given) => (isLost ? noAnswer() : table.write(...given)),
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
  const [one] = Object.values(emoji) as { name: string; source_url: string }[];
  expect(one?.name).toBe('lost_reply');
  expect((await getAt(one?.source_url ?? '', ada)).status).toBe(200);
});

test('A file stays if it is unknown whether it was recorded', async () => {
  const rawBody = formOf({ name: 'notes.txt', content: 'hello' });
  await withoutAnswer(() => ada.post('/user_uploads', {}, { rawBody }));
  const [{ path_id }] = (await ada.get('/attachments')).body.attachments;
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
