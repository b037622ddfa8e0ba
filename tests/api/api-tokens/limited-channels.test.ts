import { describe, expect, test } from 'vitest';
import type { Params } from '#tests/harness/client.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { TokenClient } from '#tests/harness/token-client.ts';

const service = await startTestService();
const { owner } = service;
const [person, other] = await createUsers(service, 'Person', 'Other');
const principals = [person, other, owner].map(({ userId }) => userId);
const allowed = await person.subscribe('allowed', { principals });
const elsewhere = await person.subscribe('elsewhere', { principals });
const token = await TokenClient.create(person, ['read', 'send', 'organize'], { channels: [allowed] });
const ids = {
  allowed: await other.send('allowed', 'plans', 'walrus here'),
  elsewhere: await other.send('elsewhere', 'plans', 'walrus there'),
  direct: await other.sendDirect([person.userId], 'walrus between us'),
};

const found = (body: { messages: { id: number }[] }): number[] =>
  body.messages.map(({ id }) => id).filter((id) => Object.values(ids).includes(id));

describe('Reading with a token that is limited to a channel', () => {
  test.each([
    ['everything', []],
    ['a text', [{ operator: 'search', operand: 'walrus' }]],
    ['the sender', [{ operator: 'sender', operand: other.userId }]],
    ['public channels', [{ operator: 'channels', operand: 'public' }]],
    ['the topic', [{ operator: 'topic', operand: 'plans' }]],
    ['direct messages', [{ operator: 'is', operand: 'dm' }], []],
    ['a conversation', [{ operator: 'dm', operand: [other.userId] }], []],
  ])('A search by %s finds only messages of that channel', async (_what, narrow, expected?: number[]) => {
    const params = { anchor: 'newest', num_before: 100, num_after: 0, narrow };
    const { body } = await token.get('/messages', params);
    expect(found(body)).toEqual(expected ?? [ids.allowed]);
  });

  test('A narrow to another channel is refused like an unknown one, and ids of other messages are left out', async () => {
    const narrow = [{ operator: 'channel', operand: 'elsewhere' }];
    const named = await token.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow });
    expect(named.body.code).toBe('BAD_NARROW');
    const byId = await token.get('/messages', { message_ids: Object.values(ids) });
    expect(found(byId.body)).toEqual([ids.allowed]);
    const search = { msg_ids: Object.values(ids), narrow: [['search', 'walrus']] };
    const matched = await token.get('/messages/matches_narrow', search);
    expect(Object.keys(matched.body.messages)).toEqual([String(ids.allowed)]);
  });

  test.each([
    ['the message', `/messages/${ids.elsewhere}`],
    ['its history', `/messages/${ids.elsewhere}/history`],
    ['a direct message', `/messages/${ids.direct}`],
    ['the channel', `/streams/${elsewhere}`],
    ['its topics', `/users/me/${elsewhere}/topics`],
    ['its id', '/get_stream_id?stream=elsewhere'],
  ])('Answers 400 for %s of another channel', async (_what, path) => {
    expect((await token.get(path)).status).toBe(400);
  });

  test('Other channels are not listed, and links to them are not rendered', async () => {
    const { body } = await token.get('/streams', { include_can_access_content: true });
    expect(body.streams.map(({ name }: { name: string }) => name)).toEqual(['allowed']);
    const rendered = await token.post('/messages/render', { content: '#**elsewhere** #**allowed**' });
    expect(rendered.body.rendered).not.toContain(`data-stream-id="${elsewhere}"`);
    expect(rendered.body.rendered).toContain(`data-stream-id="${allowed}"`);
  });
});

describe('Writing with a token that is limited to a channel', () => {
  test('A message goes to that channel and nowhere else', async () => {
    expect(await token.send(allowed, 'plans', 'ok')).toBeGreaterThan(0);
    const post = async (params: Params) =>
      (await token.post('/messages', { ...params, content: 'no' })).status;
    for (const to of [elsewhere, 'elsewhere', 'core team'])
      expect(await post({ type: 'channel', to, topic: 'plans' })).toBe(400);
    expect(await post({ type: 'direct', to: [other.userId] })).toBe(400);
  });

  test('Messages of other channels can be neither reacted to nor edited, and no message moves there', async () => {
    const own = await person.send('elsewhere', 'plans', 'mine');
    const here = await person.send('allowed', 'plans', 'mine');
    const move = async (id: number, stream_id: number) =>
      (await token.patch(`/messages/${id}`, { stream_id })).status;
    expect([await move(own, allowed), await move(here, elsewhere)]).toEqual([400, 400]);
    for (const [id, expected] of [
      [own, 400],
      [here, 200],
    ]) {
      const reacted = await token.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
      const edited = await token.patch(`/messages/${id}`, { content: 'changed' });
      expect([reacted.status, edited.status]).toEqual([expected, expected]);
    }
  });
});

describe('Queues of a token that is limited to a channel', () => {
  test('The snapshot has no other channels and no conversations, drafts or bots', async () => {
    const { snapshot } = await token.register({ fetch_event_types: null });
    const { snapshot: whole } = await person.register();
    expect(Object.keys(snapshot).length).toBeLessThan(15);
    expect(JSON.stringify(snapshot)).not.toContain('elsewhere');
    expect(JSON.stringify(whole)).toContain('elsewhere');
    const fetch_event_types = ['subscription', 'stream', 'realm_bot', 'update_message_flags'];
    const named = await token.register({ fetch_event_types });
    expect(named.snapshot.subscriptions).toBeUndefined();
    expect(named.snapshot.unread_msgs).toBeUndefined();
  });

  test('Events cover only messages in the channel', async () => {
    const queue = await token.listen({ event_types: null, all_public_streams: true });
    const secret = await other.send('elsewhere', 'secret', 'hidden');
    const direct = await other.sendDirect([person.userId], 'hidden');
    const shown = await other.send('allowed', 'open', 'shown');
    for (const id of [secret, direct, shown]) {
      await other.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
      await other.patch(`/messages/${id}`, { content: 'edited' });
    }
    await person.patch('/settings', { twenty_four_hour_time: true });
    await other.subscribe('brand new');
    const events = await queue.drain();
    expect(events.map(({ type }) => type)).toEqual(['message', 'reaction', 'update_message']);
    expect(JSON.stringify(events)).not.toContain('hidden');
  });

  test('A message that moves to another channel is deleted, and one that comes from there is unknown', async () => {
    const leaving = await owner.send('allowed', 'a', 'x');
    const coming = await owner.send('elsewhere', 'b', 'hidden');
    const queue = await token.listen({ client_capabilities: { bulk_message_deletion: true } });
    const quietly = { send_notification_to_new_thread: false };
    await owner.patch(`/messages/${leaving}`, { stream_id: elsewhere, topic: 'hidden', ...quietly });
    await owner.patch(`/messages/${coming}`, { stream_id: allowed, ...quietly });
    const events = await queue.drain();
    expect(JSON.stringify(events)).not.toContain('hidden');
    expect(events).toMatchObject([{ type: 'delete_message', message_ids: [leaving] }]);
  });

  test('A deletion in another channel sends no event', async () => {
    const gone = await owner.send('elsewhere', 'c', 'x');
    const queue = await token.listen();
    await owner.delete(`/messages/${gone}`);
    expect(await queue.drain()).toEqual([]);
  });
});

test('A token without limits gets no events and no snapshot of bots', async () => {
  const unlimited = await TokenClient.create(person, ['read']);
  const { snapshot } = await unlimited.register({ fetch_event_types: ['realm_bot', 'realm_user'] });
  expect(snapshot.realm_bots).toBeUndefined();
  expect(snapshot.realm_users.length).toBeGreaterThan(0);
  const queue = await unlimited.listen({ event_types: ['realm_bot'] });
  await person.post('/bots', { full_name: 'Robot', short_name: 'robot' });
  expect(await queue.drain()).toEqual([]);
});
