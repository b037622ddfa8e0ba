import { describe, expect, test } from 'vitest';
import { maintainLog } from '#shared/log/maintenance.ts';
import { move } from '#tests/api/messages/message-changes.ts';
import { fillLog } from '#tests/harness/backlog.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { newChannel, privateChannel, send, sendMany } from './message-lists.ts';

const service = await startTestService();
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');

interface Listed {
  type: string;
  stream_id?: number;
  topic?: string;
  user_ids?: number[];
  participants: number[];
  is_participant: boolean;
  last_message: { id: number; content: string; sender_id: number; flags: string[]; subject: string };
}

async function page(reader: Client, params: Params = {}) {
  const { status, body } = await reader.get('/conversations', params);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { conversations: Listed[]; next_before: number | null };
}
const listed = async (reader: Client, params: Params = {}) => (await page(reader, params)).conversations;
const idsOf = (conversations: Listed[]): number[] => conversations.map(({ last_message: { id } }) => id);

/** The newest messages of the topics of a channel, as they are listed. */
const idsIn = async (reader: Client, channelId: number, params: Params = {}): Promise<number[]> =>
  idsOf(
    (await listed(reader, params)).filter(
      ({ stream_id, topic }) => stream_id === channelId && topic !== 'channel events',
    ),
  );

/** All conversations, by pages. */
async function listAll(reader: Client, limit: number): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let before: number | null | undefined; before !== null; ) {
    const { conversations, next_before } = await page(reader, { limit, ...(before && { before }) });
    all.push(...conversations);
    before = next_before;
  }
  return all;
}

describe('GET /conversations', () => {
  test('Lists topics and direct conversations by their newest message, newest first', async () => {
    const { name, channelId } = await newChannel(ada, bo);
    await send(ada, name, 'plan', 'one');
    const direct = await send(bo, [ada.userId], undefined, 'two');
    const group = await send(ada, [bo.userId, cy.userId], undefined, 'three');
    const plan = await send(bo, name, 'Plan', '**four**');
    const [first, second, third] = await listed(ada);
    expect(first).toMatchObject({
      type: 'stream',
      stream_id: channelId,
      topic: 'Plan',
      participants: [bo.userId, ada.userId],
      is_participant: true,
      last_message: { id: plan, content: '<p><strong>four</strong></p>', subject: 'Plan', flags: [] },
    });
    expect(second).toMatchObject({
      type: 'private',
      user_ids: [bo.userId, cy.userId],
      participants: [ada.userId],
      last_message: { id: group },
    });
    expect(third).toMatchObject({
      user_ids: [bo.userId],
      participants: [bo.userId],
      is_participant: false,
      last_message: { id: direct },
    });
  });

  test('Lists the caller’s conversation with themselves without other users', async () => {
    const id = await send(cy, [cy.userId], undefined, 'note');
    expect((await listed(cy))[0]).toMatchObject({ type: 'private', user_ids: [], last_message: { id } });
  });

  test('Returns Markdown and a display name of the empty topic as requested', async () => {
    const { name } = await newChannel(ada);
    await send(ada, name, '', '*hi*');
    expect((await listed(ada, { limit: 1, apply_markdown: false }))[0]).toMatchObject({
      topic: 'general chat',
      last_message: { content: '*hi*', subject: 'general chat' },
    });
    const params = { limit: 1, allow_empty_topic_name: true };
    expect((await listed(ada, params))[0]).toMatchObject({ topic: '', last_message: { subject: '' } });
  });

  test('Returns up to five participants, the most recent first', async () => {
    const people = await createUsers(service, 'P1', 'P2', 'P3', 'P4', 'P5', 'P6');
    const { name } = await newChannel(ada, ...people);
    await send(ada, name, 'crowd');
    for (const person of people) await send(person, name, 'crowd');
    await send(people[3] as Client, name, 'crowd');
    const order = [3, 5, 4, 2, 1].map((n) => people[n]?.userId);
    expect((await listed(ada, { limit: 1 }))[0]).toMatchObject({ participants: order, is_participant: true });
  });

  test('Has programs among the participants, also from block summaries', async () => {
    const { body: bot } = await ada.post('/bots', { full_name: 'Deploys', short_name: 'deploys' });
    const robot = await service.clientOf((await ada.get(`/users/${bot.user_id}`)).body.user.email);
    const { name } = await newChannel(ada, robot);
    await send(robot, name, 'builds', 'failed');
    await send(ada, name, 'builds', 'fixed');
    await send(bo, name, 'builds', 'seen');
    const participants = [bo.userId, ada.userId, bot.user_id];
    expect((await listed(ada, { limit: 1 }))[0]).toMatchObject({ participants });
    await maintainLog(service.services);
    expect((await listed(ada, { limit: 1 }))[0]).toMatchObject({ participants, is_participant: true });
  });
});

describe('Pages of conversations', () => {
  test('Have one conversation at least, and a hundred at most', async () => {
    expectRefusal(await ada.get('/conversations', { limit: 0 }), 'limit is too small');
    expectRefusal(await ada.get('/conversations', { limit: 101 }), 'limit is too large');
  });

  test('List every conversation once, also from block summaries', async () => {
    const reader = await createUser(service, 'Reader');
    const { name } = await newChannel(reader, ada);
    for (const topic of ['a', 'b', 'c', 'd', 'e', 'a', 'c']) await send(ada, name, topic);
    await send(ada, [reader.userId], undefined);
    const all = await listed(reader);
    expect(idsOf(await listAll(reader, 2))).toEqual(idsOf(all));
    await maintainLog(service.services);
    expect(await listed(reader)).toEqual(all);
    expect(idsOf(await listAll(reader, 3))).toEqual(idsOf(all));
    expect((await page(reader, { limit: 100 })).next_before).toBeNull();
  });

  test('Omit conversations that have a newer message than the page', async () => {
    const reader = await createUser(service, 'Second reader');
    const { name, channelId } = await newChannel(reader, ada);
    const old = await send(ada, name, 'old');
    await send(ada, name, 'busy');
    const plan = await send(ada, name, 'plan');
    await send(ada, name, 'busy');
    expect(await idsIn(reader, channelId, { before: plan })).toEqual([old]);
  });
});

describe('The newest message of a conversation', () => {
  test('Changes to an older one after the newest was deleted or moved', async () => {
    const { name, channelId } = await newChannel(ada, bo);
    const [first = 0, second = 0, third] = await sendMany(3, ada, name, 'plan');
    await service.owner.delete(`/messages/${third}`);
    expect(await idsIn(bo, channelId)).toEqual([second]);
    await move(ada, second, { topic: 'other', propagate_mode: 'change_one' });
    expect(await idsIn(bo, channelId)).toEqual([second, first]);
    await maintainLog(service.services);
    service.advance(20_000);
    expect(await idsIn(bo, channelId)).toEqual([second, first]);
    await service.owner.delete(`/messages/${first}`);
    expect(await idsIn(bo, channelId)).toEqual([second]);
  });

  test('Excludes messages that the reader did not receive if history is protected', async () => {
    const { name, channelId } = await privateChannel(ada);
    await send(ada, name, 'old');
    await ada.subscribe(name, { principals: [bo.userId] });
    const shared = await send(ada, name, 'shared');
    await bo.delete('/users/me/subscriptions', { subscriptions: [name] });
    expect(await idsIn(bo, channelId)).toEqual([]);
    const later = await send(ada, name, 'shared');
    await ada.subscribe(name, { principals: [bo.userId] });
    const back = await send(ada, name, 'back');
    expect(await idsIn(bo, channelId)).toEqual([back, shared]);
    expect(idsOf(await listed(bo, { before: later }))[0]).toBe(shared);
    expect((await idsIn(ada, channelId)).slice(0, 2)).toEqual([back, later]);
  });
});

describe('A list of conversations', () => {
  test('Omits channels that the caller never joined or left, public and archived ones too', async () => {
    const { name, channelId } = await newChannel(ada, bo);
    const plan = await send(ada, name, 'plan');
    expect(await idsIn(cy, channelId)).toEqual([]);
    expect(await idsIn(bo, channelId)).toEqual([plan]);
    await bo.delete('/users/me/subscriptions', { subscriptions: [name] });
    expect(await idsIn(bo, channelId)).toEqual([]);
    await service.owner.delete(`/streams/${channelId}`);
    expect(await idsIn(ada, channelId)).toEqual([]);
  });

  test('Has public messages from before the caller’s subscription', async () => {
    const { name, channelId } = await newChannel(ada);
    const plan = await send(ada, name, 'plan');
    await bo.subscribe(name);
    expect(await idsIn(bo, channelId)).toEqual([plan]);
  });

  test('Has only the guest’s channels and conversations', async () => {
    const guest = await createUser(service, 'Guest', 600);
    const { name, channelId } = await newChannel(ada);
    const plan = await send(ada, name, 'plan');
    expect(await idsIn(guest, channelId)).toEqual([]);
    await ada.subscribe(name, { principals: [guest.userId] });
    expect(await idsIn(guest, channelId)).toEqual([plan]);
    const direct = await send(ada, [guest.userId], undefined);
    expect(idsOf(await listed(guest))[0]).toBe(direct);
  });

  test('Keeps muted channels, topics and users, which clients hide', async () => {
    const { name, channelId } = await newChannel(ada, bo);
    const plan = await send(bo, name, 'plan');
    const direct = await send(bo, [ada.userId], undefined);
    const muted = { stream_id: channelId, property: 'is_muted', value: true };
    await ada.post('/users/me/subscriptions/properties', { subscription_data: [muted] });
    await ada.post(`/users/me/muted_users/${bo.userId}`);
    expect(idsOf(await listed(ada)).slice(0, 2)).toEqual([direct, plan]);
  });
});

describe('The cost of a page of conversations', () => {
  test('Does not grow from conversations of twenty to conversations of two thousand messages', async () => {
    const reader = await createUser(service, 'Frugal');
    const { name, channelId } = await newChannel(reader);
    const place = { channelId, channelName: name };
    const costOf = async (): Promise<number> => {
      service.meter.reset();
      const { conversations } = await page(reader, { limit: 20 });
      expect(conversations).toHaveLength(20);
      expect(service.meter.write).toBe(0);
      return service.meter.read;
    };
    await fillLog(service.services, place, 400);
    const small = await costOf();
    await fillLog(service.services, place, 40_000, 1_000);
    const large = await costOf();
    expect(small).toBeLessThanOrEqual(50);
    expect(large).toBeLessThanOrEqual(small + 20);
  });

  test('Ends after 50 000 messages that the caller may not read, with the next page', async () => {
    const reader = await createUser(service, 'Distant');
    const { name } = await newChannel(reader);
    const plan = await send(reader, name, 'plan');
    const other = await newChannel(ada);
    await fillLog(service.services, { channelId: other.channelId, channelName: other.name }, 60_000, 0);
    service.meter.reset();
    const first = await page(reader);
    expect(service.meter.read).toBeLessThanOrEqual(250);
    expect(first.conversations).toEqual([]);
    expect(first.next_before).toBeGreaterThan(plan);
    expect(idsOf(await listed(reader, { before: first.next_before }))[0]).toBe(plan);
  });
});
