import { expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { userPrefixes } from '#shared/table/keys/users.ts';
import type { Client } from '#tests/harness/client.ts';
import { withCalls } from '#tests/harness/log.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';

const service = await startTestService();
const guest = await createUser(service, 'Guest', roles.guest);
const otherGuest = await createUser(service, 'Other guest', roles.guest);
await service.owner.patch('/realm', { can_access_all_users_group: { new: 6 } });

/** Processes that crash after a message is stored, and before its conversation is noted for its people. */
async function withoutNotes(act: () => Promise<unknown>): Promise<void> {
  const { services } = service;
  const { table } = services;
  services.table = withCalls(services, () => ({
    async write(write) {
      if (write.kind === 'update' && write.key.sk.startsWith(userPrefixes.conversation))
        throw new Error('Died');
      await table.write(write);
    },
  })).table;
  await act();
  services.table = table;
}

test.each<[string, (friend: Client) => Promise<unknown>]>([
  ['to a guest', (friend) => friend.sendDirect([guest.userId], 'hello')],
  ['of a guest', (friend) => guest.sendDirect([friend.userId], 'hello')],
  ['among guests', (friend) => guest.sendDirect([otherGuest.userId, friend.userId], 'hello')],
])(
  'Guests see a user after a first message %s, also if its process crashed right after it',
  async (_which, send) => {
    const [friend] = await createUsers(service, 'Friend');
    const room = await createChannel(service, [friend, guest, otherGuest]);
    const queue = await guest.listen({ event_types: ['realm_user'] });
    await withoutNotes(() => send(friend));
    const membership = { subscriptions: [room.name], principals: [friend.userId] };
    await service.owner.delete('/users/me/subscriptions', membership);
    expect((await guest.get(`/users/${friend.userId}`)).status).toBe(200);
    const left = (await queue.drain()).filter(({ op }) => op === 'remove');
    expect(left.map(({ person }) => person.user_id)).not.toContain(friend.userId);
  },
);

test('A first message to a guest who is named twice, or to themselves, is sent like any other', async () => {
  const [friend] = await createUsers(service, 'Friend');
  await createChannel(service, [friend, guest]);
  const to = [guest.email, guest.email.toUpperCase()];
  const params = { type: 'direct', to, content: 'hello' };
  expect((await friend.post('/messages', params)).status).toBe(200);
  const alone = await createUser(service, 'Alone', roles.guest);
  for (const named of [[alone.userId, alone.userId], [alone.email]])
    expect((await alone.post('/messages', { ...params, to: named })).status).toBe(200);
});

test('A first message to a guest costs two write units more, and each later one a read unit', async () => {
  const [friend] = await createUsers(service, 'Friend');
  await createChannel(service, [friend, guest]);
  const member = await createUser(service, 'Member');
  const costTo = ({ userId }: Client) => unitsOf(service, () => friend.sendDirect([userId], 'hello'));
  // The first message of the day notes that its sender was active.
  await costTo(member);
  const { read, write } = await costTo(member);
  expect(await costTo(guest)).toEqual({ read: read + 1, write: write + 2 });
  expect(await costTo(guest)).toEqual({ read: read + 1, write });
});
