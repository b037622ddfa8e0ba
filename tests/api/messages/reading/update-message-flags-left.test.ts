import { afterAll, expect, test } from 'vitest';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
afterAll(() => service.stop());

test('A star on a received message can be removed after its private channel was lost', async () => {
  const { owner } = service;
  const ann = await service.createUser('Ann');
  const principals = [owner.userId, ann.userId];
  await owner.subscribe('closed', { invite_only: true, principals });
  const got = await owner.send('closed', 'topic', 'for both');
  await ann.post('/messages/flags', { messages: [got], op: 'add', flag: 'starred' });
  await owner.delete('/users/me/subscriptions', { subscriptions: ['closed'], principals: [ann.userId] });
  const later = await owner.send('closed', 'topic', 'for the owner');
  await service.settle();
  const star = (id: number, op: string) =>
    ann.post('/messages/flags', { messages: [id], op, flag: 'starred' });
  expectRefusal(await star(later, 'add'), 'Invalid message(s)');
  expect((await star(got, 'remove')).status).toBe(200);
  const { snapshot } = await ann.register({ fetch_event_types: ['starred_messages'] });
  expect(snapshot.starred_messages).toEqual([]);
});

test('A star on a received message whose private channel was lost changes nothing', async () => {
  const { owner } = service;
  const bo = await service.createUser('Bo');
  await owner.subscribe('lost', { invite_only: true, principals: [owner.userId, bo.userId] });
  const got = await owner.send('lost', 'topic', 'for both');
  await owner.delete('/users/me/subscriptions', { subscriptions: ['lost'], principals: [bo.userId] });
  await service.settle();
  const queue = await bo.listen({ event_types: ['update_message_flags'] });
  const star = { messages: [got], op: 'add', flag: 'starred' };
  expect((await bo.post('/messages/flags', star)).status).toBe(200);
  expect(await queue.drain()).toEqual([]);
  const { snapshot } = await bo.register({ fetch_event_types: ['starred_messages'] });
  expect(snapshot.starred_messages).toEqual([]);
});
