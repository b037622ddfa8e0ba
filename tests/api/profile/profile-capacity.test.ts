import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountWrites, createAccount } from '#shared/domain/users/create.ts';
import { keys } from '#shared/table/keys.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { CHOICES, createField } from './fields.ts';

const PEOPLE = 1_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const unitsOf = async (work: () => Promise<unknown>): Promise<number> => {
  service.meter.reset();
  await work();
  return service.meter.read;
};

/** Nobody waits for so many accounts with passwords, so the table is told. */
async function createPeople(fieldIds: number[]): Promise<void> {
  const { table } = service.services;
  const said = { value: 'Some words of a person', renderedValue: '<p>Some words of a person</p>' };
  const profileData = Object.fromEntries(fieldIds.map((id) => [id, said]));
  const add = async (n: number) => {
    const userId = 1_000_000 + n;
    const account = createAccount({
      userId,
      email: `${userId}@example.com`,
      fullName: `Person ${n}`,
      nowSeconds: 0,
    });
    await table.transact(accountWrites(account), `crowd-${userId}`);
    await table.write({ kind: 'update', key: keys.user(userId), set: { profileData } });
  };
  for (let n = 0; n < PEOPLE; n += 20) await Promise.all(Array.from({ length: 20 }, (_, k) => add(n + k)));
}

test('register of 1 000 users with profiles costs little more than reading what it returns', async () => {
  const ids = [await createField(service.owner), await createField(service.owner, { field_type: 2 })];
  await createField(service.owner, { field_type: 3, field_data: CHOICES });
  await createPeople(ids);
  let bytes = 0;
  const read = await unitsOf(async () => {
    const { body } = await service.owner.post('/register', { include_subscribers: true });
    expect(body.realm_users.length).toBeGreaterThan(PEOPLE);
    bytes = Buffer.byteLength(JSON.stringify(body));
  });
  expect(read).toBeLessThanOrEqual((2 * bytes) / 8192 + 15);
});

test('the own settings cost register one read, and the fields of profiles another', async () => {
  const readFor = (types: string[]) =>
    unitsOf(() => service.owner.post('/register', { fetch_event_types: types }));
  const nothing = await readFor([]);
  expect((await readFor(['user_settings'])) - nothing).toBe(1);
  expect((await readFor(['custom_profile_fields'])) - nothing).toBe(1);
  expect((await readFor(['user_settings', 'custom_profile_fields'])) - nothing).toBe(2);
});
