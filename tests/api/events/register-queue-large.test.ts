import { describe, expect, test } from 'vitest';
import { queueKeys } from '#shared/table/keys/queues.ts';
import { type Client, EventQueue, type ReceivedEvent } from '#tests/harness/client.ts';
import { expectBadQueue } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { applyEvents } from '#tests/harness/snapshot/apply-events.ts';
import { aboutState, REQUEST } from '#tests/harness/snapshot/snapshot-consistency.ts';
import type { SnapshotData } from '#tests/harness/snapshot/snapshot-data.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { inSeconds, schedule } from '../scheduled-messages/schedules.ts';

const usual = { plain: 5_700_000, compressed: 16_000_000 };

const service = await startTestService();
const [ada, bo, guest] = await createUsers(service, 'Ada', 'Bo', 'Guest');
await service.setRole(guest.email, 600);
const gone = await service.createUser('Gone');
for (const [n, client] of [ada, bo, ada, bo].entries())
  await client.subscribe(`room ${n}`, { principals: [ada.userId, guest.userId, gone.userId] });
await bo.subscribe('room of Bo', { invite_only: true });
await service.owner.subscribe('room of the owner');
await ada.delete('/users/me/subscriptions', { subscriptions: ['room 0'] });
await service.owner.post('/channel_folders/create', { name: 'folder', description: 'Some' });
await ada.post('/user_groups/create', { name: 'some', description: 'Some', members: [bo.userId] });
await bo.post('/users/me/status', { status_text: 'away for a while' });
await ada.post('/drafts', { drafts: [{ type: 'private', to: [bo.userId], topic: '', content: 'Dear Bo' }] });
await ada.post('/saved_snippets', { title: 'hello', content: 'Hello there' });
await schedule(ada, { type: 'direct', to: [bo.userId], scheduled_delivery_timestamp: inSeconds(100_000) });
await ada.post('/bots', { full_name: 'Helper', short_name: 'helper' });
await service.deactivate(gone);
await service.settle();

/** A snapshot that may be so large and no larger. */
async function registerWithin(bytes: number, client: Client, params = {}): Promise<EventQueue> {
  Object.assign(service.services.config.snapshotBytes, { plain: bytes, compressed: bytes });
  try {
    return await client.register({ ...REQUEST, ...params });
  } finally {
    Object.assign(service.services.config.snapshotBytes, usual);
  }
}

const stateOf = (queue: EventQueue, events: ReceivedEvent[]) =>
  aboutState(applyEvents(queue.snapshot, events));
const lengthOf = (queue: EventQueue): number => JSON.stringify(queue.snapshot).length;

describe('A snapshot that is larger than a reply', () => {
  test.each([
    ['a member', 'ada'],
    ['a guest', 'guest'],
    ['the owner', 'owner'],
  ] as const)(
    'Gets completed for %s by the first events of the queue, whatever part of it fits',
    async (_who, name) => {
      const client = { ada, guest, owner: service.owner }[name];
      const whole = await client.register(REQUEST);
      const smallest = await registerWithin(1, client);
      expect(lengthOf(smallest)).toBeLessThan(lengthOf(whole));
      expect(smallest.snapshot.realm_users).toMatchObject([{ user_id: client.userId }]);
      for (const share of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
        const bytes = lengthOf(smallest) + share * (lengthOf(whole) - lengthOf(smallest));
        const queue = await registerWithin(bytes, client);
        const events = await queue.drain();
        expect(events.length > 0).toBe(share < 1 || lengthOf(queue) < lengthOf(whole));
        expect(stateOf(queue, events)).toEqual(stateOf(whole, []));
      }
    },
  );

  test('Gets completed for older clients, and for clients that request no subscribers', async () => {
    for (const params of [
      { client_capabilities: {} },
      { client_capabilities: { archived_channels: true, include_deactivated_groups: true } },
      { include_subscribers: 'partial' },
      { slim_presence: true, client_gravatar: false },
    ]) {
      const whole = await ada.register({ ...REQUEST, ...params });
      const queue = await registerWithin(1, ada, params);
      const state = stateOf(queue, await queue.drain());
      expect(withoutPeers(state), JSON.stringify(params)).toEqual(withoutPeers(stateOf(whole, [])));
    }
    const few = { include_subscribers: false };
    const whole = await ada.register({ ...REQUEST, ...few });
    const queue = await registerWithin(1, ada, few);
    const namesOf = (state: { never_subscribed: { name: string; subscriber_count: number }[] }) =>
      state.never_subscribed.map(({ name, subscriber_count }) => [name, subscriber_count]);
    const completed = applyEvents(queue.snapshot, await queue.drain());
    expect(namesOf(completed as never)).toEqual(namesOf(whole.snapshot));
  });

  test('Continues after whichever event the client had last', async () => {
    const queue = await registerWithin(1, ada);
    const begin = queue.lastEventId;
    const events = await queue.drain();
    expect(events.length).toBeGreaterThan(10);
    for (const [n, { id }] of events.entries()) {
      if (n % 4 !== 1) continue;
      const again = new EventQueue(ada, { ...queue.snapshot, last_event_id: id });
      // Acknowledging prunes events, so each comparison has a queue of its own.
      const fresh = await registerWithin(1, ada);
      again.lastEventId = id - begin + fresh.lastEventId;
      const rest = await new EventQueue(ada, { ...fresh.snapshot, last_event_id: again.lastEventId }).drain();
      expect(rest.map(withoutId)).toEqual(events.slice(n + 1).map(withoutId));
    }
  });

  test('Gets completed with the current state, whatever happened meanwhile', async () => {
    const small = await registerWithin(1, bo);
    const { stream_id: first } = (await bo.get('/get_stream_id', { stream: 'room 1' })).body;
    const { stream_id: second } = (await bo.get('/get_stream_id', { stream: 'room 3' })).body;
    await service.owner.patch(`/streams/${first}`, { new_name: 'renamed', description: 'Another' });
    await bo.delete('/users/me/subscriptions', { subscriptions: ['room 3'] });
    await ada.post('/users/me/subscriptions', { subscriptions: [{ name: 'room of the owner' }] });
    await service.owner.delete(`/streams/${second}`);
    await bo.subscribe('room of later');
    await bo.post('/drafts', { drafts: [{ type: 'private', to: [ada.userId], topic: '', content: 'Hm' }] });
    await ada.patch('/settings', { full_name: 'Ada Renamed' });
    const late = await service.createUser('Late');
    const { body } = await ada.post('/user_groups/create', { name: 'late', description: '', members: [] });
    await ada.post(`/user_groups/${body.group_id}/members`, { add: [late.userId] });
    await service.deactivate(guest);
    await service.settle();
    const whole = await bo.register(REQUEST);
    const events = await small.drain();
    expect(stateOf(small, events)).toEqual(stateOf(whole, []));
    const begin = events.findIndex(({ type, op }) => type === 'realm_user' && op === 'add');
    expect(begin, 'the missing parts of the snapshot come first').toBe(0);
  });

  test('Requires registering again if the list of missing parts is lost before all were sent', async () => {
    const queue = await registerWithin(1, ada);
    await service.services.table.write({ kind: 'delete', key: queueKeys.deferred(queue.queueId) });
    expectBadQueue(await queue.poll(), queue.queueId);
  });

  test('Costs its queue one item more, and none once everything was sent', async () => {
    const queue = await registerWithin(1, ada);
    await queue.drain();
    expect((await unitsOf(service, () => queue.drain())).read).toBeLessThanOrEqual(5);
  });
});

type Event = { id: number };
const withoutId = ({ id: _id, ...event }: Event) => event;

/** The snapshot without the subscribers of channels that the user never subscribed to. */
const withoutPeers = (state: SnapshotData): SnapshotData => ({
  ...state,
  never_subscribed: state.never_subscribed.map(
    ({ subscribers: _all, partial_subscribers: _some, ...channel }: SnapshotData) => channel,
  ),
});
