import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { ping } from '#tests/api/presence/presences.ts';
import { PALM, saying } from '#tests/api/user-statuses/statuses.ts';
import type { Client, Params, ReceivedEvent } from '#tests/harness/client.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot, type Observer } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { dummyOf } from '../addresses.ts';

const EVERYONE = 7;
const MEMBERS = 6;
const INCOMPLETE = { user_list_incomplete: true };
const SIMPLE = { simplified_presence_events: true };

const service = await startTestService();
const guest = await createUser(service, 'Guest', roles.guest);
const friend = await createUser(service, 'Friend');
const room = await createChannel(service, [friend, guest]);
/** A user that the guest does not see. */
let stranger: Client;

const limit = (group: number) =>
  service.owner.patch('/realm', { can_access_all_users_group: { new: group } });
await limit(MEMBERS);
const add = (who: Client) =>
  friend.post('/users/me/subscriptions', { subscriptions: [{ name: room.name }], principals: [who.userId] });
const remove = (who: Client) =>
  service.owner.delete('/users/me/subscriptions', { subscriptions: [room.name], principals: [who.userId] });
const emailOf = async ({ userId }: Client): Promise<string> =>
  (await friend.get(`/users/${userId}`)).body.user.email;

/** A guest with clients of both kinds, and a user who sees every user. */
const observers = (): Observer[] => [guest, [guest, INCOMPLETE], friend];

/** The events of a guest's queue during an action. */
async function newsOf(write: () => Promise<unknown>, params: Params = {}): Promise<ReceivedEvent[]> {
  const queue = await guest.listen(params);
  await write();
  await service.settle();
  return queue.drain();
}

describe('A user who becomes visible to a guest', () => {
  beforeEach(async () => {
    [stranger] = await createUsers(service, 'Stranger');
  });

  test('Comes with their presence and status', async () => {
    await saying(stranger, { status_text: 'at work', ...PALM });
    await ping(stranger);
    const about = { user_id: stranger.userId };
    const event_types = ['realm_user', 'user_status', 'presence'];
    const news = await newsOf(() => add(stranger), { event_types, client_capabilities: SIMPLE });
    const times = { active_timestamp: expect.any(Number), idle_timestamp: expect.any(Number) };
    expect(news).toMatchObject([
      { type: 'realm_user', op: 'add', person: about },
      { type: 'user_status', ...about, status_text: 'at work', ...PALM, away: false },
      { type: 'presence', presences: { [stranger.userId]: times } },
    ]);
  });

  test('Comes in the form of old clients, without an address if the client wants none', async () => {
    await ping(stranger);
    const presence = { website: { client: 'website', status: 'active' } };
    const old = { type: 'presence', user_id: stranger.userId, presence };
    const params = { event_types: ['presence'] };
    const email = await emailOf(stranger);
    expect(await newsOf(() => add(stranger), params)).toMatchObject([{ ...old, email }]);
    await remove(stranger);
    const [slim] = await newsOf(() => add(stranger), { ...params, slim_presence: true });
    expect(slim).toMatchObject(old);
    expect(slim).not.toHaveProperty('email');
  });

  test('Has no presence if it is too old, or if the organization turned presence off', async () => {
    await ping(stranger);
    const params = { event_types: ['presence'] };
    await service.owner.patch('/realm', { presence_disabled: true });
    expect(await newsOf(() => add(stranger), params)).toEqual([]);
    await service.owner.patch('/realm', { presence_disabled: false });
    await remove(stranger);
    service.advance(15 * 86_400_000);
    expect(await newsOf(() => add(stranger), params)).toEqual([]);
  });

  test('Comes with the same ids, whatever changes before the client polls again', async () => {
    const queue = await guest.listen({ event_types: ['realm_user', 'user_status', 'presence'] });
    await add(stranger);
    await service.settle();
    const first = await queue.poll({ dont_block: true });
    await ping(stranger);
    const again = await queue.poll({ dont_block: true });
    const ids = ({ body }: typeof first) => body.events.map(({ id }: ReceivedEvent) => id);
    expect(ids(again)).toEqual(expect.arrayContaining(ids(first)));
    const last = Math.max(...ids(first));
    const { body } = await queue.poll({ dont_block: true, last_event_id: last });
    const received = body.events.filter(({ type }: ReceivedEvent) => type !== 'presence');
    expect(received).toEqual([]);
  });

  test('Keeps snapshot and events equal, like a user who becomes invisible', async () => {
    await saying(stranger, { status_text: 'at work' });
    await ping(stranger);
    const [another] = await createUsers(service, 'Another');
    await saying(another, { ...PALM });
    const both = (act: (who: Client) => Promise<unknown>) => async () => {
      for (const who of [stranger, another]) await act(who);
    };
    const write = (who: Client) => who.sendDirect([guest.userId], 'hi');
    await expectConsistentSnapshot(service, observers(), [both(add), both(remove), both(write)]);
  });

  test('Keeps snapshot and events equal for all users, and if the guest becomes a member', async () => {
    await saying(stranger, { status_text: 'at work', ...PALM });
    await ping(stranger);
    const become = (role: number) => () => service.owner.patch(`/users/${guest.userId}`, { role });
    const turns = [become(roles.member), become(roles.guest)];
    const all = [() => limit(EVERYONE), () => limit(MEMBERS)];
    await expectConsistentSnapshot(service, observers(), [...all, ...turns]);
  });

  test('Comes in the current state if the client is late', async () => {
    await expectConsistentSnapshot(service, [guest, friend], async () => {
      await saying(stranger, { status_text: 'one', ...PALM });
      await add(stranger);
      await saying(stranger, { status_text: 'two', emoji_name: '' });
      await saying(stranger, { status_text: '', away: true });
      await ping(stranger);
      await remove(stranger);
      await saying(stranger, { status_text: 'three' });
      await add(stranger);
      await saying(stranger, { away: false });
    });
  });

  test('Costs a unit for their status and one for their presence', async () => {
    const readsOf = async (event_types: string[]): Promise<number> => {
      const queue = await guest.listen({ event_types });
      await add(stranger);
      await service.settle();
      const { read } = await unitsOf(service, () => queue.poll({ dont_block: true }));
      await remove(stranger);
      await service.settle();
      return read;
    };
    await saying(stranger, { status_text: 'at work' });
    const without = await readsOf(['realm_user']);
    for (const type of ['user_status', 'presence'])
      expect(await readsOf(['realm_user', type])).toBeLessThanOrEqual(without + 1);
  });
});

describe('A guest', () => {
  beforeAll(async () => {
    [stranger] = await createUsers(service, 'Stranger');
  });

  const typing = (who: Client, params: Params) => who.post('/typing', { op: 'start', ...params });
  const event_types = ['typing', 'typing_edit_message'];
  const client_capabilities = { stream_typing_notifications: true };
  const typed = (write: () => Promise<unknown>) => newsOf(write, { event_types, client_capabilities });

  test('Gets no typing events of unseen users', async () => {
    expect(await typed(() => typing(stranger, { to: [guest.userId] }))).toEqual([]);
    const inRoom = { type: 'channel', stream_id: room.channelId, topic: 'logo' };
    expect(await typed(() => typing(stranger, inRoom))).toEqual([]);
    expect(await typed(() => typing(friend, inRoom))).toMatchObject([{ sender: { user_id: friend.userId } }]);
    await add(stranger);
    const messageId = await stranger.send(room.channelId, 'topic', 'hello');
    const edit = () => stranger.post(`/messages/${messageId}/typing`, { op: 'start' });
    expect(await typed(edit)).toMatchObject([{ sender_id: stranger.userId }]);
    await remove(stranger);
    expect(await typed(edit)).toEqual([]);
  });

  test('Gets no address of unseen people to whom a user types', async () => {
    const events = await typed(() => typing(friend, { to: [guest.userId, stranger.userId] }));
    const recipients = [
      { user_id: guest.userId, email: await emailOf(guest) },
      { user_id: friend.userId, email: await emailOf(friend) },
      { user_id: stranger.userId, email: dummyOf(service, stranger) },
    ];
    expect(events.map((event) => event.recipients)).toEqual([recipients]);
  });

  test('Cannot learn by a draft whether a user exists', async () => {
    const draft = (to: number[]) => ({ type: 'private', to, topic: '', content: 'hello' });
    const drafts = [draft([stranger.userId, friend.userId]), draft([9_999]), draft([stranger.userId])];
    const [first, ...others] = (await guest.post('/drafts', { drafts })).body.ids;
    const recipientsOf = async (draftId: number) =>
      (await guest.get('/drafts')).body.drafts.find(({ id }: { id: number }) => id === draftId).to;
    expect(await recipientsOf(first)).toEqual([friend.userId]);
    expect(await Promise.all(others.map(recipientsOf))).toEqual([[], []]);
    await guest.patch(`/drafts/${first}`, { draft: draft([stranger.userId]) });
    expect(await recipientsOf(first)).toEqual([]);
  });

  test('Sees reactions of every user by id only', async () => {
    await add(stranger);
    const messageId = await friend.send(room.channelId, 'topic', 'hello');
    await remove(stranger);
    const queue = await guest.listen({ event_types: ['reaction'] });
    const reaction = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' };
    await stranger.post(`/messages/${messageId}/reactions`, reaction);
    const about = { ...reaction, user_id: stranger.userId };
    const event = { id: expect.any(Number), type: 'reaction', op: 'add', message_id: messageId };
    expect(await queue.drain()).toEqual([{ ...event, ...about }]);
    const { message } = (await guest.get(`/messages/${messageId}`)).body;
    expect(message.reactions).toEqual([about]);
  });

  test('Gets the presence of visible users only', async () => {
    for (const user of [friend, stranger]) await ping(user);
    const { presences } = (await guest.get('/realm/presence')).body;
    expect(Object.keys(presences)).toContain(await emailOf(friend));
    expect(Object.keys(presences)).not.toContain(await emailOf(stranger));
    const reported = await ping(guest, { last_update_id: -1 });
    expect(reported.presences).toHaveProperty(String(friend.userId));
    expect(reported.presences).not.toHaveProperty(String(stranger.userId));
    expect((await guest.get(`/users/${stranger.email}/presence`)).status).toBe(400);
  });

  test('Learns nothing of a message’s author by reporting it', async () => {
    const moderation = await createChannel(service, [service.owner, friend], { invite_only: true });
    await service.owner.patch('/realm', { moderation_request_channel_id: moderation.channelId });
    await add(stranger);
    const messageId = await stranger.send(room.channelId, 'topic', 'hello');
    await remove(stranger);
    const report = async () => {
      const { status, body } = await guest.post(`/messages/${messageId}/report`, { report_type: 'spam' });
      expect(status, JSON.stringify(body)).toBe(200);
    };
    const received = await newsOf(report, { event_types: ['message'] });
    expect(received).toHaveLength(1);
    expect(JSON.stringify(received)).not.toMatch(/Stranger/);
  });
});
