import { expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { leave, membersOf, newName } from './channel-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

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

test('Members of a private channel are listed for subscribers and administrators', async () => {
  const name = newName();
  const channelId = await ada.subscribe(name, { invite_only: true, principals: [ada.userId, bo.userId] });
  for (const client of [ada, bo, service.owner])
    expect((await membersOf(client, channelId)).body.subscribers).toEqual([ada.userId, bo.userId]);
  await leave(bo, [name]);
  expectRefusal(await membersOf(bo, channelId), invalid);
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
