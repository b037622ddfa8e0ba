import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bootstrapOrganization } from '#functions/bootstrap.ts';
import { createTable, LOCAL_REGION } from '#infra/local/create-table.ts';
import { findOrganization } from '#shared/store/organization/organization.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { keys } from '#shared/table/keys.ts';
import { send } from '#tests/harness/anonymous.ts';
import { engineEndpoint } from '#tests/harness/engine/engine-endpoint.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const startAgain = (others: Partial<Parameters<typeof bootstrapOrganization>[1]> = {}) =>
  bootstrapOrganization(service.services, {
    organizationName: 'Another name',
    url: service.url,
    ownerEmail: 'another@example.com',
    ...others,
  });
const settings = async () => (await send(service.url, '/server_settings')).body;

test('an organization that starts at another address has that address from then on, and nothing else changes', async () => {
  const before = await findOrganization(service.services.table);
  const settingsBefore = await settings();
  const { owner, created } = await startAgain({ url: 'https://chat.example.org//' });
  expect([owner.userId, created]).toEqual([service.owner.userId, false]);
  expect(await settings()).toMatchObject({
    realm_url: 'https://chat.example.org',
    realm_name: settingsBefore.realm_name,
  });
  expect(await findOrganization(service.services.table)).toEqual({
    ...before,
    url: 'https://chat.example.org',
  });
  await startAgain();
  expect(await findOrganization(service.services.table)).toEqual(before);
});

test('an organization is created once, and its owner is the same afterwards', async () => {
  const { services } = service;
  const [endpoint, tableName] = [engineEndpoint(), `test-${randomUUID()}`];
  await createTable({ endpoint, tableName });
  const table = new DynamoTable({ endpoint, tableName, region: LOCAL_REGION });
  const start = () =>
    bootstrapOrganization(
      { ...services, table },
      { organizationName: 'New', url: service.url, ownerEmail: 'new@example.com' },
    );
  const first = await start();
  const second = await start();
  expect([first.created, second.created]).toEqual([true, false]);
  expect(second.owner).toMatchObject(first.owner);
});

test('an organization that starts at its address again costs no write', async () => {
  service.meter.reset();
  await startAgain({ url: `${service.url}/` });
  expect(service.meter.write).toBe(0);
});

test('an organization that starts with the permission to change addresses gives it to its owner alone', async () => {
  const person = await createUser(service, 'Person');
  const change = async (new_email: string) =>
    (await service.owner.patch(`/users/${person.userId}`, { new_email })).status;
  const account = async ({ email }: { email: string }) => service.services.table.find(keys.account(email));
  await service.services.table.write({
    kind: 'update',
    key: keys.account(service.owner.email),
    set: { mayChangeEmails: false },
  });
  await startAgain();
  expect(await change('changed@example.com')).not.toBe(200);
  await startAgain({ ownerMayChangeEmails: true });
  expect(await account(person)).not.toMatchObject({ mayChangeEmails: true });
  expect(await change('changed@example.com')).toBe(200);
});

test('an organization whose owner has no account does not start', async () => {
  const key = keys.account(service.owner.email);
  const account = await service.services.table.find(key);
  await service.services.table.write({ kind: 'delete', key });
  await expect(startAgain()).rejects.toThrow('The account of the owner is missing');
  await service.services.table.write({ kind: 'put', item: { ...key, ...account } });
  expect((await startAgain()).owner).toMatchObject({ userId: service.owner.userId });
});
