import { expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { join, leave, newName } from './channel-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

const getId = (client: Client, stream?: string) => client.get('/get_stream_id', { stream });
const expectUnknown = async (client: Client, name: string) =>
  expectRefusal(await getId(client, name), `Invalid channel name '${name}'`);

test('A name returns the id in any letter case and with white space around it', async () => {
  const name = newName('Élan');
  await join(ada, [name]);
  const { body } = await ada.get('/users/me/subscriptions');
  const { stream_id } = body.subscriptions.find((one: { name: string }) => one.name === name);
  for (const spelling of [name, name.toUpperCase(), ` ${name.normalize('NFD')} `])
    expect((await getId(bo, spelling)).body).toEqual({ result: 'success', msg: '', stream_id });
});

test('A name is read as text, not as JSON', async () => {
  const name = '"12"';
  const channelId = await ada.subscribe(name);
  expect((await getId(ada, name)).body.stream_id).toBe(channelId);
  await expectUnknown(ada, '12');
});

test('A private channel is returned to its subscribers and to administrators only', async () => {
  const name = newName('secret');
  const channelId = await ada.subscribe(name, { invite_only: true, principals: [ada.userId, bo.userId] });
  for (const client of [ada, bo, service.owner])
    expect((await getId(client, name)).body.stream_id).toBe(channelId);
  await expectUnknown(guest, name);
  await leave(bo, [name]);
  await expectUnknown(bo, name);
  await expectUnknown(bo, name.toUpperCase());
});

test('A guest finds only the channels that they are in', async () => {
  const name = newName();
  await join(ada, [name]);
  await expectUnknown(guest, name);
  await join(ada, [name], { principals: [guest.userId] });
  expect((await getId(guest, name)).status).toBe(200);
});

test('Names that no channel can have return the error for unknown channels', async () => {
  for (const name of ['', ' ', 'nowhere', 'x'.repeat(4000), '😀'.repeat(300)]) await expectUnknown(ada, name);
});
