import { beforeAll, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';
import { join, newName } from './channel-calls.ts';
import { createPeople } from './people.ts';

const DAY_SECONDS = 24 * 3600;

const newNames = (count: number): string[] => Array.from({ length: count }, () => newName());

const channelCount = async (client: Client): Promise<number> =>
  (await client.get('/streams')).body.streams.length;

describe('An account', () => {
  let service: TestService;
  let ada: Client;
  let bo: Client;
  beforeAll(async () => {
    service = await startTestService({
      channelLimits: { organization: 1_000, account: { limit: 5, windowSeconds: DAY_SECONDS } },
    });
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
    const hidden = await service.owner.post('/channels/create', {
      name: newName(),
      subscribers: [service.owner.userId],
      invite_only: true,
    });
    const { stream } = (await service.owner.get(`/streams/${hidden.body.id}`)).body;
    const idOf = async (name: string) => (await joe.get('/get_stream_id', { stream: name })).body.stream_id;
    const [first = '', second = '', third = ''] = newNames(3);
    await join(joe, [first]);
    const long = newNames(5).map((name) => ({ name, description: '&'.repeat(1024) }));
    const loud = { can_subscribe_group: { direct_members: [joe.userId], direct_subgroups: [] } };
    for (let attempt = 0; attempt < 3; attempt++) {
      const refused = await joe.post('/users/me/subscriptions', {
        subscriptions: long,
        ...loud,
        folder_id: 77,
      });
      expect(refused.status).toBe(400);
      expect((await join(joe, [...newNames(2), stream.name])).status).toBe(400);
    }
    await join(joe, [second, third]);
    expect([await idOf(second), await idOf(third)]).toEqual(
      [await idOf(first), await idOf(first)].map((id, n) => id + n + 1),
    );
    expect((await join(joe, newNames(2))).status).toBe(200);
    expectRefusal(await join(joe, newNames(1)), refusal);
  });

  test('Counts once for a request that is repeated under its key', async () => {
    const eve = await service.createUser('Eve');
    const params = { subscriptions: newNames(4).map((name) => ({ name })) };
    for (let attempt = 0; attempt < 3; attempt++) {
      const headers = { 'Idempotency-Key': 'the-same' };
      const { status } = await eve.request('POST', '/users/me/subscriptions', params, { headers });
      expect(status).toBe(200);
    }
    expect((await join(eve, newNames(1))).status).toBe(200);
    expectRefusal(await join(eve, newNames(1)), refusal);
  });
});

test('An organization holds as many channels as its limit, archived ones included', async () => {
  const service = await startTestService({
    channelLimits: { organization: 8, account: { limit: 100, windowSeconds: DAY_SECONDS } },
  });
  const { owner } = service;
  const refusal = 'Too many channels: the organization may have 8.';
  expectRefusal(await join(owner, newNames(9)), refusal);
  const room = 8 - (await channelCount(owner));
  const [first = '', ...others] = newNames(room);
  expect((await join(owner, [first, ...others])).status).toBe(200);
  expectRefusal(await join(owner, newNames(1)), refusal);
  const { stream_id } = (await owner.get('/get_stream_id', { stream: first })).body;
  expect((await owner.delete(`/streams/${stream_id}`)).status).toBe(200);
  expectRefusal(await join(owner, newNames(1)), refusal);
  expect((await join(owner, others)).status).toBe(200);
  await service.stop();
});

describe('Requests that name many people', () => {
  test('Count for the account within a day, and smaller ones do not', async () => {
    const service = await startTestService({ pairLimit: { limit: 150, windowSeconds: 3_601 } });
    const ada = await service.createUser('Ada');
    const people = await createPeople(service, 101);
    const [first = '', second = '', third = ''] = newNames(3);
    expect((await join(ada, [first], { principals: people })).status).toBe(200);
    const refusal = 'Too many subscriptions: an account may change 150 within 2 hours.';
    expectRefusal(await join(ada, [second], { principals: people }), refusal);
    expectRefusal(await ada.post('/channels/create', { name: third, subscribers: people }), refusal);
    expectRefusal(
      await ada.delete('/users/me/subscriptions', { subscriptions: [first], principals: people }),
      refusal,
    );
    expect((await join(ada, [second], { principals: people.slice(0, 100) })).status).toBe(200);
    expect((await join(service.owner, [first, third], { principals: people })).status).toBe(200);
    const bo = await service.createUser('Bo');
    const created = await bo.post('/channels/create', { name: newName(), subscribers: people });
    expect(created.status, 'each of them counts once').toBe(200);
    await service.stop();
  });
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
    const subscriptions = newNames(count).map((name) => ({ name, description }));
    const reply = await ada.post('/users/me/subscriptions', { subscriptions });
    expect([reply.status, reply.body.msg]).toEqual([200, '']);
    expect(service.meter.write).toBeLessThanOrEqual(1_000);
  });

  test('Does not create fifty channels of the greatest size', async () => {
    const subscriptions = newNames(50).map((name) => ({ name, description: '😀'.repeat(1024) }));
    const before = await channelCount(ada);
    expectRefusal(
      await ada.post('/users/me/subscriptions', { subscriptions }),
      'The new channels say too much for one request: create fewer at once.',
    );
    expect(await channelCount(ada)).toBe(before);
  });
});
