import { expect, test } from 'vitest';
import { bootstrapOrganization } from '#functions/bootstrap.ts';
import { Conflict } from '#shared/log/commit.ts';
import type { Services } from '#shared/runtime/services.ts';
import { findOrganization } from '#shared/store/organization/organization.ts';
import { findAccount, listUsersById } from '#shared/store/users/users.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import { send } from '#tests/harness/anonymous.ts';
import { withCalls } from '#tests/harness/log.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { openTestTable } from '#tests/harness/table/test-table.ts';
import { unitsOf } from '#tests/harness/units.ts';

const service = await startTestService();

const startAgain = (others: Partial<Parameters<typeof bootstrapOrganization>[1]> = {}) =>
  bootstrapOrganization(service.services, {
    organizationName: 'Another name',
    url: service.url,
    ownerEmail: 'another@example.com',
    ...others,
  });
const settings = async () => (await send(service.url, '/server_settings')).body;

test('An organization that starts at another address adopts it and changes nothing else', async () => {
  const before = await findOrganization(service.services.table);
  const settingsBefore = await settings();
  const { owner, created } = await startAgain({ url: 'https://chat.example.org//' });
  expect([owner.userId, created]).toEqual([service.owner.userId, false]);
  const { realm_name } = settingsBefore;
  expect(await settings()).toMatchObject({ realm_url: 'https://chat.example.org', realm_name });
  const moved = { ...before, url: 'https://chat.example.org' };
  expect(await findOrganization(service.services.table)).toEqual(moved);
  await startAgain();
  expect(await findOrganization(service.services.table)).toEqual(before);
});

/** Services of an empty table, and how an organization begins in it. */
async function emptyPlace() {
  const services: Services = { ...service.services, table: await openTestTable() };
  const url = 'https://new.example.com/';
  const organization = { organizationName: 'New', url, ownerEmail: 'new@example.com' };
  return { services, start: (by = services) => bootstrapOrganization(by, organization) };
}

test('An organization is created once, and its owner stays the same', async () => {
  const { services, start } = await emptyPlace();
  const first = await start();
  const second = await start();
  expect([first.created, second.created]).toEqual([true, false]);
  expect(second.owner).toMatchObject(first.owner);
  expect(await findOrganization(services.table)).toMatchObject({ url: 'https://new.example.com' });
});

test('The first accounts of an organization are its bots and its owner', async () => {
  const { services, start } = await emptyPlace();
  const { owner } = await start();
  const bots = await listUsersById(services.table, [1, 2, 3]);
  expect(bots.map(({ isSystemBot }) => isSystemBot)).toEqual([true, true, true]);
  expect(owner.userId).toBe(4);
  expect(await services.table.increment(organizationKeys.counter('user'), 'id')).toBe(5);
});

test.each(['organization', 'counter'] as const)(
  'A second start does not create the organization if another run has written its %s meanwhile',
  async (what) => {
    const { services, start } = await emptyPlace();
    const item =
      what === 'organization'
        ? { ...organizationKeys.organization(), url: 'x' }
        : { ...organizationKeys.counter('user'), id: 9 };
    const late = withCalls(services, (table) => ({
      transact: async (...call) => {
        await table.write({ kind: 'put', item });
        await table.transact(...call);
      },
    }));
    await expect(start(late)).rejects.toThrow(Conflict);
    const { pk, sk } = item;
    expect(await services.table.find({ pk, sk })).toEqual(item);
    expect(await findAccount(services.table, 'new@example.com')).toBeUndefined();
  },
);

test('A restart at the same address costs no write', async () => {
  const { write } = await unitsOf(service, () => startAgain({ url: `${service.url}/` }));
  expect(write).toBe(0);
});

test('A start that grants the right to change addresses grants it to the owner only', async () => {
  const person = await createUser(service, 'Person');
  const change = async (new_email: string) =>
    (await service.owner.patch(`/users/${person.userId}`, { new_email })).status;
  const { table } = service.services;
  const key = userKeys.account(service.owner.email);
  await table.write({ kind: 'update', key, set: { mayChangeEmails: false } });
  await startAgain();
  expect(await change('changed@example.com')).not.toBe(200);
  await startAgain({ ownerMayChangeEmails: true });
  expect(await table.find(userKeys.account(person.email))).not.toMatchObject({ mayChangeEmails: true });
  expect(await change('changed@example.com')).toBe(200);
});

test('An organization whose owner has no account does not start', async () => {
  const key = userKeys.account(service.owner.email);
  const account = await service.services.table.find(key);
  await service.services.table.write({ kind: 'delete', key });
  await expect(startAgain()).rejects.toThrow('The account of the owner is missing');
  await service.services.table.write({ kind: 'put', item: { ...key, ...account } });
  expect((await startAgain()).owner).toMatchObject({ userId: service.owner.userId });
});
