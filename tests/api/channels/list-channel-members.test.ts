import { afterAll, expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { join, leave, membersOf, newName } from './channel-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);
afterAll(() => service.stop());

const invalid = 'Invalid channel ID';

test('Members of a public channel are listed by id, to members inside and outside it', async () => {
  const name = newName();
  const principals = [guest.userId, service.owner.userId, ada.userId];
  const channelId = await ada.subscribe(name, { principals });
  for (const client of [ada, bo, guest]) {
    const { body } = await membersOf(client, channelId);
    expect(body).toEqual({ result: 'success', msg: '', subscribers: principals.toSorted((a, b) => a - b) });
  }
});

test('A channel that every user has left has no members', async () => {
  const name = newName();
  const channelId = await ada.subscribe(name);
  await leave(ada, [name]);
  expect((await membersOf(ada, channelId)).body.subscribers).toEqual([]);
});

test('Members of a private channel are listed for subscribers and administrators', async () => {
  const name = newName();
  const channelId = await ada.subscribe(name, { invite_only: true, principals: [ada.userId, bo.userId] });
  for (const client of [ada, bo, service.owner])
    expect((await membersOf(client, channelId)).body.subscribers).toEqual([ada.userId, bo.userId]);
  await leave(bo, [name]);
  expectRefusal(await membersOf(bo, channelId), invalid);
});

test('A channel that the caller may not know has an invalid id, like one that does not exist', async () => {
  const [open, secret] = [
    await ada.subscribe(newName()),
    await ada.subscribe(newName(), { invite_only: true }),
  ];
  expectRefusal(await membersOf(guest, open), invalid);
  expectRefusal(await membersOf(guest, secret), invalid);
  expectRefusal(await membersOf(bo, secret), invalid);
  for (const missing of [0, -1, 424242, Number.MAX_SAFE_INTEGER])
    expectRefusal(await membersOf(bo, missing), invalid);
});

test('An id that is no integer is refused', async () => {
  expectRefusal(await ada.get('/streams/general/members'), 'stream_id is not valid JSON');
  expectRefusal(await ada.get('/streams/1.5/members'), 'stream_id is not an integer');
  expectRefusal(await ada.get('/streams/"1"/members'), 'stream_id is not an integer');
  expectRefusal(await ada.get('/streams/1e400/members'), 'stream_id is not an integer');
});

test('Deactivated users are left out until they are reactivated', async () => {
  const gone = await createUser(service, 'Gone');
  const name = newName();
  const channelId = await ada.subscribe(name, { principals: [ada.userId, gone.userId] });
  await service.deactivate(gone);
  expect((await membersOf(ada, channelId)).body.subscribers).toEqual([ada.userId]);
  await service.owner.post(`/users/${gone.userId}/reactivate`);
  await service.settle();
  expect((await membersOf(ada, channelId)).body.subscribers).toEqual([ada.userId, gone.userId]);
});

test('A bot is listed like any other member, and can leave while its owner stays', async () => {
  const bot = await createUser(service, 'Robo');
  await service.makeBot(bot, ada);
  const name = newName();
  const channelId = await ada.subscribe(name, { principals: [ada.userId, bot.userId] });
  expect((await membersOf(bot, channelId)).body.subscribers).toEqual([ada.userId, bot.userId]);
  await leave(ada, [name], { principals: [bot.userId] });
  expect((await membersOf(ada, channelId)).body.subscribers).toEqual([ada.userId]);
  await join(ada, [name], { principals: [bot.userId] });
  expect((await membersOf(ada, channelId)).body.subscribers).toEqual([ada.userId, bot.userId]);
});
