import { beforeAll, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { people } from '#tests/api/user-groups/group-calls.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { join, leave, newName } from './channel-calls.ts';
import { idOf } from './channel-records.ts';
import { createPeople } from './people.ts';

const DAY_SECONDS = 24 * 3600;

const newNames = (count: number): string[] => Array.from({ length: count }, () => newName());

/** How many channels an account may create within a day. */
const account = { limit: 5, windowSeconds: DAY_SECONDS };
const describedJoin = (client: Client, names: string[], description: string, params: Params = {}) => {
  const subscriptions = names.map((name) => ({ name, description }));
  return client.post('/users/me/subscriptions', { subscriptions, ...params });
};
const channelCount = async (client: Client): Promise<number> =>
  (await client.get('/streams')).body.streams.length;

describe('An account', () => {
  let service: TestService;
  let ada: Client;
  let bo: Client;
  beforeAll(async () => {
    service = await startTestService({ channelLimits: { organization: 1_000, account } });
    [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  });

  const refusal = 'Too many new channels: an account may create 5 within 24 hours.';

  test('Creates as many channels a day as the limit, and none beyond', async () => {
    expect((await join(ada, newNames(3))).status).toBe(200);
    const before = await channelCount(ada);
    expectRefusal(await join(ada, newNames(3)), refusal);
    expect(await channelCount(ada)).toBe(before);
    expect((await join(ada, newNames(2))).status).toBe(200);
    expectRefusal(await ada.post('/channels/create', { name: newName(), subscribers: [] }), refusal);
  });

  test('Joins existing channels without limit, and leaves the limits of others alone', async () => {
    const [name = ''] = newNames(1);
    expect((await join(bo, [name])).body.subscribed).toEqual({ [bo.userId]: [name] });
    expect((await join(ada, [name])).body.subscribed).toEqual({ [ada.userId]: [name] });
  });

  test('Creates again once the day is over', async () => {
    service.advance(DAY_SECONDS * 1000 + 1000);
    const before = await channelCount(ada);
    await join(ada, newNames(5));
    expect(await channelCount(ada)).toBe(before + 5);
  });

  test('Creates up to the limit of the organization if it is an administrator', async () => {
    const admin = await service.createUser('Admin', roles.administrator);
    const before = await channelCount(admin);
    await join(admin, newNames(8));
    expect(await channelCount(admin)).toBe(before + 8);
  });

  test('Keeps its quota and the ids of channels after refused requests', async () => {
    const joe = await service.createUser('Joe');
    const [hidden = '', first = '', second = '', third = ''] = newNames(4);
    await join(service.owner, [hidden], { invite_only: true });
    await join(joe, [first]);
    const refused = { can_subscribe_group: people(joe), folder_id: 77 };
    for (let attempt = 0; attempt < 3; attempt++) {
      const long = await describedJoin(joe, newNames(5), '&'.repeat(1024), refused);
      expect(long.status).toBe(400);
      expect((await join(joe, [...newNames(2), hidden])).status).toBe(400);
    }
    await join(joe, [second, third]);
    const id = await idOf(joe, first);
    expect([await idOf(joe, second), await idOf(joe, third)]).toEqual([id + 1, id + 2]);
    expect((await join(joe, newNames(2))).status).toBe(200);
    expectRefusal(await join(joe, newNames(1)), refusal);
  });

  test('Counts once for a request that is repeated under its key', async () => {
    const eve = await service.createUser('Eve');
    const params = { subscriptions: newNames(4).map((name) => ({ name })) };
    const headers = { 'Idempotency-Key': 'the-same' };
    for (let attempt = 0; attempt < 3; attempt++)
      expect((await eve.post('/users/me/subscriptions', params, { headers })).status).toBe(200);
    expect((await join(eve, newNames(1))).status).toBe(200);
    expectRefusal(await join(eve, newNames(1)), refusal);
  });
});

test('An organization holds as many channels as its limit, archived ones included', async () => {
  const many = { ...account, limit: 100 };
  const { owner } = await startTestService({ channelLimits: { organization: 8, account: many } });
  const refusal = 'Too many channels: the organization may have 8.';
  expectRefusal(await join(owner, newNames(9)), refusal);
  const room = 8 - (await channelCount(owner));
  const [first = '', ...others] = newNames(room);
  expect((await join(owner, [first, ...others])).status).toBe(200);
  expectRefusal(await join(owner, newNames(1)), refusal);
  expect((await owner.delete(`/streams/${await idOf(owner, first)}`)).status).toBe(200);
  expectRefusal(await join(owner, newNames(1)), refusal);
  expect((await join(owner, others)).status).toBe(200);
});

test('Requests that name many people count for the account within a day, and smaller ones do not', async () => {
  const service = await startTestService({ pairLimit: { limit: 150, windowSeconds: 3_601 } });
  const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  const principals = await createPeople(service, 101);
  const create = (client: Client, name: string) =>
    client.post('/channels/create', { name, subscribers: principals });
  const [first = '', second = '', third = ''] = newNames(3);
  expect((await join(ada, [first], { principals })).status).toBe(200);
  const refusal = 'Too many subscriptions: an account may change 150 within 2 hours.';
  for (const reply of [
    await join(ada, [second], { principals }),
    await create(ada, third),
    await leave(ada, [first], { principals }),
  ])
    expectRefusal(reply, refusal);
  expect((await join(ada, [second], { principals: principals.slice(0, 100) })).status).toBe(200);
  expect((await join(service.owner, [first, third], { principals })).status).toBe(200);
  expect((await create(bo, newName())).status, 'each of them counts once').toBe(200);
});

describe('One request', () => {
  let service: TestService;
  let ada: Client;
  beforeAll(async () => {
    service = await startTestService();
    ada = await service.createUser('Ada');
  });

  test.each([
    ['as many channels as it may', 50, 'x'.repeat(490)],
    ['channels that say as much as they may', 8, '😀'.repeat(1024)],
  ])('Costs at most a thousand write units when it creates %s', async (_what, count, description) => {
    await service.settle();
    service.meter.reset();
    expect((await describedJoin(ada, newNames(count), description)).status).toBe(200);
    expect(service.meter.write).toBeLessThanOrEqual(1_000);
  });

  test('Does not create fifty channels of the greatest size', async () => {
    const before = await channelCount(ada);
    const refused = await describedJoin(ada, newNames(50), '😀'.repeat(1024));
    expectRefusal(refused, 'The new channels say too much for one request: create fewer at once.');
    expect(await channelCount(ada)).toBe(before);
  });
});
