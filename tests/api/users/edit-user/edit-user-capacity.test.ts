import { describe, expect, test } from 'vitest';
import { identityWrite } from '#shared/domain/users/identity.ts';
import { emailVisibilities, roles } from '#shared/domain/users/user.ts';
import { newest, term } from '#tests/api/messages/lists/message-lists.ts';
import { showAddressTo } from '#tests/api/users/addresses.ts';
import type { Params } from '#tests/harness/client.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';

const service = await startTestService({}, { ownerMayChangeEmails: true });
const { owner } = service;

const costOf = (work: () => Promise<unknown>) => unitsOf(service, work);
describe('The capacity of changing a user', () => {
  test('Costs in write units 9 for a name, 9 for a role, 11 for an address, 9 for its visibility', async () => {
    const user = await createUser(service, 'Member');
    const edit = (params: Params) => owner.patch(`/users/${user.userId}`, params);
    expect((await costOf(() => edit({ full_name: 'Another Name' }))).write).toBeLessThanOrEqual(9);
    expect((await costOf(() => edit({ role: roles.moderator }))).write).toBeLessThanOrEqual(9);
    const hiding = () => showAddressTo(user, emailVisibilities.nobody);
    expect((await costOf(hiding)).write).toBeLessThanOrEqual(9);
    expect((await costOf(() => edit({ new_email: 'other@example.org' }))).write).toBeLessThanOrEqual(11);
  });
});

describe('A page of 100 messages', () => {
  test('Costs at most 5 read units more if every one of 256 users was renamed since', async () => {
    const [second, third] = await createUsers(service, 'Second', 'Third');
    const { channelId } = await createChannel(service, [owner, second, third]);
    for (let n = 0; n < 100; n++)
      await [owner, second, third][n % 3]?.send(channelId, 'topic', `${n} `.padEnd(200, 'x'));
    const read = () => owner.get('/messages', { ...newest, narrow: [term('channel', channelId)] });
    await read();
    const before = await costOf(read);
    const renamed = (userId: number) =>
      identityWrite({
        userId,
        email: `somebody.with.a.long.address.${userId}@example.com`,
        fullName: `Somebody With Rather A Long Name ${userId}`,
        avatarVersion: 2,
      });
    for (let userId = 0; userId < 256; userId++) await service.services.table.write(renamed(userId));
    const { body } = await read();
    expect(body.messages[0].sender_full_name).toMatch(/^Somebody With/);
    const after = await costOf(read);
    expect(after.read - before.read).toBeLessThanOrEqual(5);
  });
});

test('A new account without a sign-up notice costs 9 read and 24 write units, its welcome included', async () => {
  const newcomer = { email: 'newcomer@example.com', password: PASSWORD, full_name: 'Newcomer' };
  const { read, write } = await costOf(async () => {
    expect((await owner.post('/users', newcomer)).status).toBe(200);
    await service.settle();
  });
  expect(read).toBeLessThanOrEqual(9);
  expect(write).toBeLessThanOrEqual(24);
});
