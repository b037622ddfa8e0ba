import { afterEach, describe, expect, test } from 'vitest';
import { bootstrapOrganization } from '#functions/bootstrap.ts';
import { sweep } from '#functions/workers/sweep.ts';
import { reopenOrganization } from '#shared/actions/organization/close-organization.ts';
import { roles } from '#shared/domain/users/user.ts';
import { isClosed } from '#shared/store/organization/organization.ts';
import type { Table } from '#shared/table/table.ts';
import { sendTo } from '#tests/harness/anonymous.ts';
import type { Client, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers, drainMessages, listenAll } from '#tests/harness/scene.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { list, newest, term } from '../messages/lists/message-lists.ts';
import { listScheduled, schedule } from '../scheduled-messages/schedules.ts';

const service = await startTestService();
const { owner } = service;
const [ada] = await createUsers(service, 'Ada');
afterEach(() => reopenOrganization(service.services));

const deactivate = (client: Client, params = {}): Promise<Reply> => client.post('/realm/deactivate', params);
const expectClosed = (reply: Reply): void =>
  expectRefusal(reply, 'This organization has been deactivated', { status: 401, code: 'REALM_DEACTIVATED' });

describe('Deactivating the organization', () => {
  test('Notifies every user, and changes nothing else in their snapshots', async () => {
    const guest = await createUser(service, 'Guest', roles.guest);
    const queues = await listenAll([owner, ada, guest]);
    await expectConsistentSnapshot(service, [owner, ada, guest], async () => {
      const { status, body } = await deactivate(owner);
      expect([status, body]).toEqual([200, { result: 'success', msg: '' }]);
      await reopenOrganization(service.services);
    });
    const event = { type: 'realm', op: 'deactivated', realm_id: 2, id: expect.any(Number) };
    for (const queue of queues) expect(await queue.drain()).toEqual([event]);
  });

  test('Ends a waiting poll with that event', async () => {
    const queue = await ada.listen();
    const waiting = queue.poll();
    await deactivate(owner);
    expect((await waiting).body.events).toMatchObject([{ type: 'realm', op: 'deactivated' }]);
    expectClosed(await queue.poll());
  });

  test('Locks out every user, the owner included', async () => {
    const channelId = await ada.subscribe('room');
    await deactivate(owner, { deletion_delay_days: null });
    for (const client of [owner, ada]) {
      expectClosed(await client.get('/users/me'));
      expectClosed(await client.post('/register'));
      expectClosed(await client.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 }));
      const message = { type: 'channel', to: channelId, topic: 'x', content: 'too late' };
      expectClosed(await client.post('/messages', message));
      expectClosed(await deactivate(client));
    }
    const wrong = await ada.get('/users/me', {}, { headers: { authorization: 'Basic YTpi' } });
    expect(wrong.status).toBe(401);
    expect(wrong.body.code).not.toBe('REALM_DEACTIVATED');
  });

  test.each([null, 0])('Keeps the data permanently with a delay of %j', async (days) => {
    const channelId = await ada.subscribe('archive');
    const id = await ada.send(channelId, 'x', 'kept');
    expect((await deactivate(owner, { deletion_delay_days: days })).status).toBe(200);
    service.advance(400 * 24 * 3600 * 1000);
    await sweep(service.services);
    await reopenOrganization(service.services);
    expect((await ada.get(`/messages/${id}`)).body.message.content).toContain('kept');
  });

  test('Blocks signing in and joining', async () => {
    await deactivate(owner);
    expectClosed(await ada.post('/fetch_api_key', { username: ada.email, password: PASSWORD }));
    expectClosed(await ada.post('/join', { key: 'k', full_name: 'New', password: PASSWORD }));
    expectClosed(await ada.post('/join/confirmation', { key: 'k', email: 'new@example.com' }));
    expectClosed(await ada.get('/join', { key: 'k' }));
    expectClosed(await ada.post('/session', { username: ada.email, password: PASSWORD }));
    expectClosed(await ada.post('/password_reset', { email: ada.email }));
    expectClosed(await ada.post('/password_reset/key', { password: PASSWORD }));
    expectClosed(await sendTo(`${service.url}/calls/bigbluebutton/join?bigbluebutton=x`));
  });

  test('Keeps the server settings readable', async () => {
    await deactivate(owner);
    const { status, body } = await ada.get('/server_settings');
    expect([status, body.realm_name]).toEqual([200, expect.any(String)]);
  });

  test('Sends one event if two owners request it at once', async () => {
    const other = await createUser(service, 'Other', roles.owner);
    const queue = await ada.listen({ event_types: ['realm'] });
    const replies = await Promise.all([deactivate(owner), deactivate(other)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401]);
    await reopenOrganization(service.services);
    expect(await queue.drain()).toHaveLength(1);
  });
});

test.each([
  [-1, 'Data deletion time must be at least 1 day in the future.'],
  [3651, 'Data deletion time must be at most 3650 days in the future.'],
])('Deactivating the organization cannot delete its data %i days later', async (days, message) => {
  expectRefusal(await deactivate(owner, { deletion_delay_days: days }), message);
  expect((await ada.get('/users/me')).status).toBe(200);
});

describe('An organization that an operator reactivates', () => {
  const organization = { organizationName: 'ignored', url: service.url, ownerEmail: owner.email };
  const reactivate = () => bootstrapOrganization(service.services, { ...organization, reactivates: true });

  test('Keeps keys, queues, subscriptions and messages', async () => {
    const channelId = await ada.subscribe('kept');
    const messageId = await ada.send('kept', 'topic', 'before');
    const queue = await ada.listen();
    await deactivate(owner);
    await reactivate();
    await owner.subscribe('kept');
    const { body } = await ada.get(`/messages/${messageId}`);
    expect(body.message).toMatchObject({ stream_id: channelId });
    await ada.send('kept', 'topic', 'after');
    expect(await drainMessages(queue)).toMatchObject([{ content: 'after' }]);
  });

  test('Stays deactivated after a start without that option', async () => {
    await deactivate(owner);
    await bootstrapOrganization(service.services, organization);
    expectClosed(await ada.get('/users/me'));
  });

  test('Sends scheduled messages and deletes expired ones that fell due meanwhile', async () => {
    const channelId = await owner.subscribe('later');
    const old = await owner.send('later', 'x', 'old');
    const scheduled_delivery_timestamp = Math.floor(service.services.clock.nowMs() / 1000) + 3600;
    await schedule(owner, { to: channelId, content: 'sent later', scheduled_delivery_timestamp });
    await owner.patch(`/streams/${channelId}`, { message_retention_days: 1 });
    const contents = async (): Promise<string[]> => {
      const page = { ...newest, narrow: [term('channel', channelId)], apply_markdown: false };
      const texts = (await list(owner, page)).messages.map(({ content }: { content: string }) => content);
      return texts.filter((content: string) => ['old', 'sent later'].includes(content));
    };
    await deactivate(owner);
    service.advance(2 * 24 * 3600 * 1000);
    await sweep(service.services);
    await reactivate();
    expect(await contents()).toEqual(['old']);
    expect(await listScheduled(owner)).toHaveLength(1);
    await sweep(service.services);
    expect(await contents()).toEqual(['sent later']);
    expect((await owner.get(`/messages/${old}`)).status).toBe(400);
  });
});

test('Another function notices within ten seconds, and reads at most once in that time', async () => {
  const { table, clock } = service.services;
  let reads = 0;
  const find: Table['find'] = (key, options) => {
    reads++;
    return table.find(key, options);
  };
  const config = { ...service.services.config, closureMemoryMs: 10_000 };
  let nowMs = clock.nowMs();
  const other = { table: { find } as Table, clock: { ...clock, nowMs: () => nowMs }, config };
  expect(await isClosed(other)).toBe(false);
  await deactivate(owner);
  nowMs += 9_999;
  expect(await isClosed(other)).toBe(false);
  nowMs += 1;
  expect([await isClosed(other), await isClosed(other), reads]).toEqual([true, true, 2]);
});
