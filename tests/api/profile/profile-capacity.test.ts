import { expect, test } from 'vitest';
import { createAccount } from '#shared/domain/users/create.ts';
import { userKeys } from '#shared/table/keys/users.ts';
import type { Write } from '#shared/table/table.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { CHOICES, createField } from './fields.ts';

const PEOPLE = 1_000;

const service = await startTestService();

/** Accounts with passwords take too long to create, so they are written into the table. */
async function createPeople(fieldIds: number[]): Promise<void> {
  const { table } = service.services;
  const said = { value: 'Some words of a person', renderedValue: '<p>Some words of a person</p>' };
  const profileData = Object.fromEntries(fieldIds.map((id) => [id, said]));
  const writesOf = (n: number): Write[] => {
    const userId = 1_000_000 + n;
    const email = `${userId}@example.com`;
    const account = createAccount({ userId, email, fullName: `Person ${n}`, nowSeconds: 0 });
    return [
      { kind: 'put', item: { ...userKeys.account(email), ...account } },
      { kind: 'put', item: { ...userKeys.user(userId), ...account, profileData } },
    ];
  };
  for (let n = 0; n < PEOPLE; n += 50) {
    const fifty = Array.from({ length: 50 }, (_, k) => writesOf(n + k)).flat();
    await table.transact(fifty, `crowd-${n}`);
  }
}

test('Register of 1 000 users with profiles costs little more than reading the data that it returns', async () => {
  const ids = [await createField(service.owner), await createField(service.owner, { field_type: 2 })];
  await createField(service.owner, { field_type: 3, field_data: CHOICES });
  await createPeople(ids);
  let bytes = 0;
  const { read } = await unitsOf(service, async () => {
    const { body } = await service.owner.post('/register', { include_subscribers: true });
    expect(body.realm_users.length).toBeGreaterThan(PEOPLE);
    bytes = Buffer.byteLength(JSON.stringify(body));
  });
  expect(read).toBeLessThanOrEqual((2 * bytes) / 8192 + 15);
});

test('Register reads the own settings once, and the profile fields once', async () => {
  const readFor = async (types: string[]) =>
    (await unitsOf(service, () => service.owner.post('/register', { fetch_event_types: types }))).read;
  const nothing = await readFor([]);
  expect((await readFor(['user_settings'])) - nothing).toBe(1);
  expect((await readFor(['custom_profile_fields'])) - nothing).toBe(1);
  expect((await readFor(['user_settings', 'custom_profile_fields'])) - nothing).toBe(2);
});
