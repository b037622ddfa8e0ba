import { describe, expect, test } from 'vitest';
import { readOptions } from '#infra/local/options.ts';
import { startService } from '#infra/local/start.ts';
import { closeOrganization } from '#shared/actions/organization/close-organization.ts';
import { getOrganization } from '#shared/store/organization/organization.ts';
import { findAccount } from '#shared/store/users/users.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { Table } from '#shared/table/table.ts';
import { RELAY_ACCOUNT, TestRelay } from '#tests/harness/relay.ts';
import { openTestTable } from '#tests/harness/table/test-table.ts';

/** Whether the owner of a service that was started so may change addresses. */
async function mayChangeEmails(table: Table, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const { ownerMayChangeEmails } = readOptions(environment);
  const options = { port: 0, openTable: () => table, secret: 'x', ownerMayChangeEmails };
  const { services, owner, stop } = await startService(options);
  const account = await findAccount(services.table, owner.email);
  await stop();
  return account?.mayChangeEmails ?? false;
}

describe('OWNER_MAY_CHANGE_EMAILS', () => {
  test('Gives the owner the permission at the first start', async () => {
    expect(await mayChangeEmails(await openTestTable(), { OWNER_MAY_CHANGE_EMAILS: 'true' })).toBe(true);
  });

  test('Gives it at a later start, and no start removes it', async () => {
    const table = await openTestTable();
    expect(await mayChangeEmails(table, {})).toBe(false);
    expect(await mayChangeEmails(table, { OWNER_MAY_CHANGE_EMAILS: 'true' })).toBe(true);
    expect(await mayChangeEmails(table, { OWNER_MAY_CHANGE_EMAILS: 'false' })).toBe(true);
  });

  test('Does not end the start if the organization was deleted, and the service says so', async () => {
    const table = await openTestTable();
    const { pk, sk } = organizationKeys.closure();
    await table.write({
      kind: 'put',
      item: { pk, sk, atSeconds: 1, erasingSinceSeconds: 2, erasedAtSeconds: 3 },
    });
    const options = { port: 0, openTable: () => table, secret: 'x', reactivates: true };
    const { url, isDeleted, stop } = await startService(options);
    const [me, health] = await Promise.all([fetch(`${url}/api/v1/users/me`), fetch(`${url}/health`)]);
    expect([isDeleted, me.status, health.status]).toEqual([true, 401, 200]);
    expect(await me.json()).toMatchObject({ code: 'REALM_DEACTIVATED' });
    await stop();
  });

  test('Must be true or false', () => {
    expect(() => readOptions({ OWNER_MAY_CHANGE_EMAILS: 'yes' })).toThrow(
      'OWNER_MAY_CHANGE_EMAILS must be true or false, not "yes".',
    );
  });
});

test('The first start names the owner by its settings', async () => {
  const { services, owner, stop } = await startService({
    port: 0,
    secret: 'x',
    ownerFullName: 'Grace Hopper',
  });
  expect(await findAccount(services.table, owner.email)).toMatchObject({ fullName: 'Grace Hopper' });
  await stop();
});

test('The first start refuses a weak password of the owner, and a later start does not read it', async () => {
  const table = await openTestTable();
  const start = (ownerPassword: string) =>
    startService({
      port: 0,
      openTable: () => table,
      secret: 'x',
      ownerEmail: 'grace@example.com',
      ownerPassword,
    });
  for (const weak of ['password', 'grace1', 'aaaaaaaaaaaa', 'short'])
    await expect(start(weak), weak).rejects.toThrow(/^OWNER_PASSWORD is too weak: known words/);
  await (await start('correct horse battery')).stop();
  await (await start('password')).stop();
});

test('A table without an organization prints which command to run', async () => {
  await expect(getOrganization(await openTestTable())).rejects.toThrow(
    'The organization does not exist: run the bootstrap first',
  );
});

test('A service with a relay calls it with its own name and key', async () => {
  const relay = await new TestRelay().start();
  const { services, stop } = await startService({
    port: 0,
    secret: 'x',
    relay: { url: relay.url, ...RELAY_ACCOUNT },
  });
  expect(await services.relay?.notify('realm', [])).toEqual([]);
  const { user, key } = RELAY_ACCOUNT;
  expect(relay.received).toMatchObject([
    { authorization: `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}` },
  ]);
  await stop();
});

describe('REACTIVATE', () => {
  const isOpenAfter = async (table: Table, environment: NodeJS.ProcessEnv): Promise<boolean> => {
    const { reactivates } = readOptions(environment);
    const options = { port: 0, openTable: () => table, secret: 'x', reactivates };
    const { url, owner, services, stop } = await startService(options);
    const authorization = `Basic ${Buffer.from(`${owner.email}:${owner.apiKey}`).toString('base64')}`;
    const { status } = await fetch(`${url}/api/v1/users/me`, { headers: { authorization } });
    if (status === 200) await closeOrganization(services, owner.userId, null);
    await stop();
    return status === 200;
  };

  test('Reactivates an organization that an owner deactivated, and no other start does', async () => {
    const table = await openTestTable();
    expect(await isOpenAfter(table, {})).toBe(true);
    expect(await isOpenAfter(table, {})).toBe(false);
    expect(await isOpenAfter(table, { REACTIVATE: 'true' })).toBe(true);
  });

  test('Must be true or false', () => {
    expect(() => readOptions({ REACTIVATE: 'now' })).toThrow('REACTIVATE must be true or false, not "now".');
  });
});
