import { describe, expect, test } from 'vitest';
import { identityWrite } from '#shared/domain/users/identity.ts';
import { emailVisibilities, roles } from '#shared/domain/users/user.ts';
import { showAddressTo } from '#tests/api/users/addresses.ts';
import type { Client } from '#tests/harness/client.ts';
import { createChannel, createUser } from '#tests/harness/scene.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';

const service = await startTestService({}, { ownerMayChangeEmails: true });
const { owner } = service;
const member = await createUser(service, 'Member');

async function costOf(work: () => Promise<unknown>): Promise<{ read: number; write: number }> {
  service.meter.reset();
  await work();
  const { read, write } = service.meter;
  return { read, write };
}
const edit = (params: Record<string, unknown>) => owner.patch(`/users/${member.userId}`, params);

describe('The capacity of changing a user', () => {
  test('Costs in write units 9 for a name, 9 for a role, 11 for an address, 9 for its visibility', async () => {
    expect((await costOf(() => edit({ full_name: 'Another Name' }))).write).toBeLessThanOrEqual(9);
    expect((await costOf(() => edit({ role: roles.moderator }))).write).toBeLessThanOrEqual(9);
    const hiding = () => showAddressTo(member, emailVisibilities.nobody);
    expect((await costOf(hiding)).write).toBeLessThanOrEqual(9);
    expect((await costOf(() => edit({ new_email: 'other@example.org' }))).write).toBeLessThanOrEqual(11);
  });
});

describe('A page of 100 messages', () => {
  test('Costs at most 5 read units more if every one of 256 users was renamed since', async () => {
    const people = [owner, await createUser(service, 'Second'), await createUser(service, 'Third')];
    const { channelId } = await createChannel(service, [owner, ...people.slice(1)]);
    for (let n = 0; n < 100; n++)
      await (people[n % people.length] as Client).send(channelId, 'topic', `${n} `.padEnd(200, 'x'));
    const narrow = [{ operator: 'channel', operand: channelId }];
    const read = () => owner.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow });
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
  service.meter.reset();
  const newcomer = { email: 'newcomer@example.com', password: PASSWORD, full_name: 'Newcomer' };
  expect((await service.owner.post('/users', newcomer)).status).toBe(200);
  await service.settle();
  expect(service.meter.read).toBeLessThanOrEqual(9);
  expect(service.meter.write).toBeLessThanOrEqual(24);
});
