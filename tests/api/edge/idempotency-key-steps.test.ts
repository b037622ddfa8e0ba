import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createChannel } from '#functions/channels/create-channel.ts';
import { subscribe } from '#functions/channels/subscribe.ts';
import { createInvitations } from '#functions/invitations/create-invitations.ts';
import { sweep } from '#functions/workers/sweep.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { lambda } from '#shared/api/lambda.ts';
import { membersOf, subscriptionsOf } from '#tests/api/channels/channel-records.ts';
import { createPeople } from '#tests/api/channels/people.ts';
import { toGatewayEvent } from '#tests/conformance/requests.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { diesAfter, keepsProgress } from '#tests/harness/crash-injection.ts';
import { readMails } from '#tests/harness/mails.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
beforeEach(() => {
  // Processes that die leave a line in the log.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterAll(() => vi.restoreAllMocks());

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

describe('A retry of a request that takes several transactions', () => {
  const dies = (caller: Client, endpoint: AnyEndpoint, params: Params, key: string) => {
    const event = toGatewayEvent(endpoint, params, caller.authorization);
    event.headers['idempotency-key'] = key;
    return lambda(endpoint, () => diesAfter(service.services, keepsProgress))(event);
  };
  const names = Array.from({ length: 50 }, (_, n) => `many ${n}`);

  test('Continues after the last transaction, and returns the whole result', async () => {
    const params = { subscriptions: names.map((name) => ({ name })) };
    expect((await dies(ada, subscribe, params, 'many')).statusCode).toBe(500);
    const left = names[0] ?? '';
    // Steps that were done and undone since are not repeated.
    await ada.delete('/users/me/subscriptions', { subscriptions: [left] });
    // Twice at the same time: they meet, and still nothing is done twice.
    const replies = await Promise.all(
      [1, 2].map(() => ada.post('/users/me/subscriptions', params, withKey('many'))),
    );
    for (const { status, body } of replies) {
      expect(status).toBe(200);
      expect(body.subscribed).toEqual({ [ada.userId]: names });
      expect(body.already_subscribed).toEqual({});
    }
    await service.settle();
    const subscriptions: { name: string }[] = await subscriptionsOf(ada);
    const subscribed = subscriptions.map(({ name }) => name).filter((name) => name.startsWith('many'));
    expect(subscribed.sort()).toEqual(names.slice(1).sort());
  });

  test('Finishes even if others did the rest, and announces the work of the first attempt', async () => {
    const ours = names.map((name) => `our ${name}`);
    const params = { subscriptions: ours.map((name) => ({ name })) };
    expect((await dies(bo, subscribe, params, 'ours')).statusCode).toBe(500);
    await bo.post('/users/me/subscriptions', params);
    const { status, body } = await bo.post('/users/me/subscriptions', params, withKey('ours'));
    expect(status).toBe(200);
    const [begun, others] = [body.subscribed[bo.userId], body.already_subscribed[bo.userId]];
    expect([...begun, ...others]).toEqual(ours);
    await service.settle();
    const { body: all } = await bo.get('/streams');
    const silent = all.streams.filter(
      (channel: Params) => begun.includes(channel.name) && !channel.first_message_id,
    );
    expect([begun.length > 0, silent]).toEqual([true, []]);
  });

  test('Invites each person once', async () => {
    const people = Array.from({ length: 32 }, (_, n) => `invited${n}@example.com`);
    const params = { invitee_emails: [...people, bo.email].join(','), stream_ids: [] };
    expect((await dies(service.owner, createInvitations, params, 'invited')).statusCode).toBe(500);
    const list = async () => (await service.owner.get('/invites')).body.invites;
    const before = await list();
    expect(before).toHaveLength(30);
    const first = await service.owner.post('/invites', params, withKey('invited'));
    const second = await service.owner.post('/invites', params, withKey('invited'));
    for (const { status, body } of [first, second]) {
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'INVITATION_FAILED', sent_invitations: true });
    }
    expect(second.body).toEqual(first.body);
    expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    const after = await list();
    expect(after).toHaveLength(32);
    expect(after).toEqual(expect.arrayContaining(before));
    await service.settle();
    // The crashed process did not wake a worker for its mails.
    service.advance(180_000);
    await sweep(service.services);
    await service.settle();
    const receivers = readMails(service).map(({ to }) => to);
    expect(receivers.sort()).toEqual(people.sort());
  });

  test('Creates its channel once, with every user in it', async () => {
    const subscribers = await createPeople(service, 90);
    const params = { name: 'crowded', subscribers };
    expect((await dies(ada, createChannel, params, 'crowded')).statusCode).toBe(500);
    const first = await ada.post('/channels/create', params, withKey('crowded'));
    expect(first.status).toBe(200);
    expect((await ada.post('/channels/create', params, withKey('crowded'))).body).toEqual(first.body);
    expect((await membersOf(ada, first.body.id)).body.subscribers).toEqual(subscribers);
  });
});
