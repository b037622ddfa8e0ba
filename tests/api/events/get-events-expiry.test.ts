import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, EventQueue } from '#tests/harness/client.ts';
import { expectBadQueue } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { createGroup } from '../user-groups/group-calls.ts';

const MINUTE_MS = 60_000;

const service = await startTestService();
const ada = await createUser(service, 'Ada');

const look = (queue: EventQueue) => queue.poll({ dont_block: true });

test(
  'A queue outlives its last poll by its idle timeout',
  proves('event-queues.2', 'event-queues.7'),
  async () => {
    const queue = await ada.register({ idle_queue_timeout: 300 });
    for (let n = 0; n < 2; n++) {
      service.advance(5 * MINUTE_MS);
      expect((await look(queue)).status).toBe(200);
    }
    service.advance(8 * MINUTE_MS);
    expectBadQueue(await look(queue), queue.queueId);
  },
);

test('A queue without a timeout of its own lives for ten minutes', proves('event-queues.4'), async () => {
  const [polled, forgotten] = [await ada.register(), await ada.register()];
  service.advance(10 * MINUTE_MS);
  expect((await look(polled)).status).toBe(200);
  service.advance(3 * MINUTE_MS);
  expectBadQueue(await look(forgotten), forgotten.queueId);
  expect((await look(polled)).status).toBe(200);
});

test(
  'A queue of a phone lives for twelve hours, and a queue for seven days on request',
  proves('event-queues.5', 'event-queues.6', 'register-queue.16'),
  async () => {
    const phone = await ada.register({ idle_queue_timeout: 'mobile' });
    const patient = await ada.register({ idle_queue_timeout: 7 * 24 * 3600 });
    service.advance(12 * 60 * MINUTE_MS);
    expect((await look(phone)).status).toBe(200);
    service.advance(12 * 60 * MINUTE_MS + 3 * MINUTE_MS);
    expectBadQueue(await look(phone), phone.queueId);
    service.advance(6 * 24 * 60 * MINUTE_MS - 3 * MINUTE_MS);
    expect((await look(patient)).status).toBe(200);
  },
);

test(
  'A queue that is polled lives on, and keeps its events meanwhile',
  proves('event-queues.3'),
  async () => {
    const queue = await ada.register({ event_types: ['message'], idle_queue_timeout: 120 });
    for (let round = 0; round < 5; round++) {
      const id = await service.owner.sendDirect([ada.userId], `round ${round}`);
      service.advance(2 * MINUTE_MS);
      expect((await queue.drain()).map(({ message }) => message.id)).toEqual([id]);
    }
  },
);

test('An expired queue can be neither deleted nor revived by polling', async () => {
  const queue = await ada.register({ idle_queue_timeout: 1 });
  service.advance(3 * MINUTE_MS);
  expectBadQueue(await ada.delete('/events', { queue_id: queue.queueId }), queue.queueId);
  for (let n = 0; n < 2; n++) expectBadQueue(await queue.poll(), queue.queueId);
});

const [maker, reader] = await createUsers(service, 'Maker', 'Reader');

/** A private channel whose subscribers the members of a new group may choose. */
async function secretOf(name: string, members: Client[]): Promise<{ groupId: number; channelId: number }> {
  const groupId = await createGroup(maker, members);
  const secret = { invite_only: true, can_add_subscribers_group: groupId };
  return { groupId, channelId: await maker.subscribe(name, secret) };
}
const kindsOf = async (queue: EventQueue, channelId: number): Promise<string[]> =>
  (await queue.drain())
    .filter((event) => JSON.stringify(event).includes(`"stream_id":${channelId}`))
    .map(({ type, op }) => `${type}/${op}`);

describe('Rights are judged as of the event', () => {
  test('A user who joins a group gets no events of its channels from before', async () => {
    const { groupId, channelId } = await secretOf('lay-offs', [maker]);
    const queue = await reader.register();
    await maker.patch(`/streams/${channelId}`, { new_name: 'harmless' });
    expect(await kindsOf(queue, channelId)).toEqual([]);
    await maker.post(`/user_groups/${groupId}/members`, { add: [reader.userId] });
    expect(await kindsOf(queue, channelId)).toEqual(['stream/create']);
  });

  test('A user who leaves a group still gets the events of the channels that they lost', async () => {
    const { groupId, channelId } = await secretOf('lost', [maker, reader]);
    const queue = await reader.register();
    await maker.patch(`/streams/${channelId}`, { can_add_subscribers_group: { new: 1 } });
    await maker.post(`/user_groups/${groupId}/members`, { delete: [reader.userId] });
    expect(await kindsOf(queue, channelId)).toContain('stream/delete');
  });

  test('A user who becomes a member gets each channel once', async () => {
    const guest = await service.createUser('Guest', roles.guest);
    const queue = await guest.register();
    const channelId = await maker.subscribe('plaza');
    await service.setRole(guest.email, roles.member);
    const kinds = await kindsOf(queue, channelId);
    expect(kinds.filter((kind) => kind === 'stream/create')).toHaveLength(1);
  });

  test('A user who becomes an administrator while waiting gets administrators’ events from then on', async () => {
    const riser = await service.createUser('Riser');
    const queue = await riser.listen({ event_types: ['invites_changed'] });
    const waiting = queue.poll();
    await service.setRole(riser.email, roles.administrator);
    await service.owner.post('/invites/multiuse', {});
    expect((await waiting).body.events).toMatchObject([{ type: 'invites_changed' }]);
  });
});
