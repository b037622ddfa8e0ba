import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { flag } from './flags.ts';

const service = await startTestService({ webPublicChannels: true });
const { owner } = service;
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const room = await createChannel(service, [ada, bo, cy]);

const send = (sender: Client, channelId = room.channelId) => sender.send(channelId, 'receipts', 'seen?');
const sendTo = (sender: Client, to: Client[]): Promise<number> =>
  sender.sendDirect(
    to.map(({ userId }) => userId),
    'seen?',
  );
const mark = (reader: Client, messageId: number, op = 'add') => flag(reader, [messageId], op, 'read');
const getReceipts = (viewer: Client, messageId: number | string) =>
  viewer.get(`/messages/${messageId}/read_receipts`);
const readersOf = async (viewer: Client, messageId: number): Promise<number[]> => {
  const { status, body } = await getReceipts(viewer, messageId);
  expect({ status, body }).toMatchObject({ status: 200, body: { result: 'success', msg: '' } });
  return body.user_ids;
};
const idsOf = (...people: Client[]): number[] => people.map(({ userId }) => userId).sort((a, b) => a - b);

describe('The read receipts of a message', () => {
  test('Name everyone who has read it, by any means, except its sender', async () => {
    const id = await send(ada);
    expect(await readersOf(ada, id)).toEqual([]);
    await mark(cy, id);
    expect(await readersOf(ada, id)).toEqual(idsOf(cy));
    await bo.post('/mark_all_as_read');
    expect(await readersOf(cy, id)).toEqual(idsOf(bo, cy));
  });

  test('End if a user marks it as unread', async () => {
    const id = await send(ada);
    await mark(bo, id);
    await mark(bo, id, 'remove');
    expect(await readersOf(ada, id)).toEqual([]);
  });

  test('Name the participants of a direct message', async () => {
    const id = await sendTo(ada, [bo, cy]);
    await mark(bo, id);
    expect(await readersOf(ada, id)).toEqual(idsOf(bo));
    expect(await readersOf(cy, id)).toEqual(idsOf(bo));
  });

  test('Exclude people who did not receive it: they subscribed later, or have left', async () => {
    const { channelId, name } = await createChannel(service, [ada, bo]);
    const id = await send(ada, channelId);
    await cy.subscribe(name);
    await mark(bo, id);
    expect(await readersOf(ada, id)).toEqual(idsOf(bo));
    await bo.delete('/users/me/subscriptions', { subscriptions: [name] });
    expect(await readersOf(ada, id)).toEqual([]);
  });

  test('Exclude deactivated people, and people who do not share their receipts', async () => {
    const [dee, eve] = await createUsers(service, 'Dee', 'Eve');
    const id = await sendTo(ada, [bo, dee, eve]);
    for (const reader of [bo, dee, eve]) await mark(reader, id);
    await dee.patch('/settings', { send_read_receipts: false });
    expect(await readersOf(ada, id)).toEqual(idsOf(bo, eve));
    await service.deactivate(eve);
    expect(await readersOf(ada, id)).toEqual(idsOf(bo));
  });

  test('Exclude people whom the caller muted, and people who muted the caller', async () => {
    const [dee, eve] = await createUsers(service, 'Dee', 'Eve');
    const id = await sendTo(ada, [bo, dee, eve]);
    for (const reader of [bo, dee, eve]) await mark(reader, id);
    await bo.post(`/users/me/muted_users/${dee.userId}`);
    await eve.post(`/users/me/muted_users/${bo.userId}`);
    expect(await readersOf(bo, id)).toEqual(idsOf(bo));
    expect(await readersOf(ada, id)).toEqual(idsOf(bo, dee, eve));
  });

  test('Cost at most 1.5 read units a subscriber, and 3 more for each reader', async () => {
    const id = await send(ada);
    await mark(bo, id);
    await readersOf(ada, id);
    const { read, write } = await unitsOf(service, () => readersOf(ada, id));
    expect(write).toBe(0);
    // Beside them: the account, the message, its channel and subscription, the organization, the list, muted users.
    expect(read).toBeLessThanOrEqual(7 + 2 * 1.5 + 3);
  });
});

test('Read receipts are refused if the organization turned them off', async () => {
  const id = await send(ada);
  await owner.patch('/realm', { enable_read_receipts: false });
  expectRefusal(await getReceipts(ada, id), 'Read receipts are disabled in this organization.');
  await owner.patch('/realm', { enable_read_receipts: true });
});

test('A guest who sees only some people gets no others in a channel that every user may read', async () => {
  const [friend] = await createUsers(service, 'Friend');
  const guest = await service.createUser('Gill', roles.guest);
  await createChannel(service, [friend, guest]);
  await owner.patch('/realm', { enable_spectator_access: true, can_access_all_users_group: { new: 6 } });
  const open = await createChannel(service, [owner, bo, friend], { is_web_public: true });
  const id = await send(owner, open.channelId);
  for (const reader of [bo, friend]) await mark(reader, id);
  expect(await readersOf(ada, id)).toEqual(idsOf(bo, friend));
  expect(await readersOf(guest, id)).toEqual(idsOf(friend));
});
