import { describe, expect, test } from 'vitest';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { PASSWORD, startTestService } from '#tests/harness/service.ts';
import { openText, TestSocket, withSocket } from './test-socket.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);

const open = async (text: unknown) => (await TestSocket.connect(service.url)).request(text);
const closedFor = (code: string) => expect.objectContaining({ op: 'closed', code });

describe('Registering for a socket', () => {
  test('Offers one to clients that request it, and to no others', async () => {
    const { snapshot } = await withSocket(ada);
    expect(snapshot.event_socket).toEqual({ url: '/api/v1/event-socket', token: expect.any(String) });
    expect((await ada.listen()).snapshot).not.toHaveProperty('event_socket');
  });
});

describe('A socket', () => {
  test.each([
    ['of no queue', '00000000-0000-0000-0000-000000000000.00000000-0000-0000-0000-000000000000'],
    ['of no form', 'token'],
    ['that is empty', ''],
  ])('Cannot be opened by a token %s', async (_what, token) => {
    expect(await open({ op: 'open', token, last_event_id: -1 })).toEqual(closedFor('BAD_EVENT_QUEUE_ID'));
  });

  test('Cannot be opened by the token of another queue', async () => {
    const [own, other] = [await withSocket(ada), await withSocket(bo)];
    const [, key] = other.snapshot.event_socket.token.split('.');
    const token = `${own.queueId}.${key}`;
    expect(await open({ ...openText(own), token })).toEqual(closedFor('BAD_EVENT_QUEUE_ID'));
  });

  test('Cannot be opened for a queue whose client did not request it', async () => {
    const { queueId } = await ada.listen();
    const token = `${queueId}.00000000-0000-0000-0000-000000000000`;
    expect(await open({ op: 'open', token, last_event_id: -1 })).toEqual(closedFor('BAD_EVENT_QUEUE_ID'));
  });

  test('Ends with its queue, and cannot be opened again', async () => {
    const queue = await withSocket(ada);
    const socket = await TestSocket.open(queue);
    await ada.delete('/events', { queue_id: queue.queueId });
    expect(await socket.untilClosed()).toEqual(closedFor('BAD_EVENT_QUEUE_ID'));
    expect(await open(openText(queue))).toEqual(closedFor('BAD_EVENT_QUEUE_ID'));
  });

  test('Ends when the key of its account is replaced', async () => {
    const cy = await createUser(service, 'Cy');
    const queue = await withSocket(cy);
    const socket = await TestSocket.open(queue);
    await cy.post('/users/me/api_key/regenerate');
    expect(await socket.untilClosed()).toEqual(closedFor('INVALID_API_KEY'));
    expect(await open(openText(queue))).toEqual(closedFor('INVALID_API_KEY'));
  });

  test('Ends when its account gets another password', async () => {
    const di = await createUser(service, 'Di');
    const socket = await TestSocket.open(await withSocket(di));
    await di.patch('/settings', { old_password: PASSWORD, new_password: 'another horse battery' });
    expect(await socket.untilClosed()).toEqual(closedFor('INVALID_API_KEY'));
  });

  test('Ends when its account is deactivated', async () => {
    const ed = await createUser(service, 'Ed');
    const queue = await withSocket(ed);
    const socket = await TestSocket.open(queue);
    await service.deactivate(ed);
    expect(await socket.untilClosed()).toMatchObject({ op: 'closed' });
    expect(await open(openText(queue))).toEqual(closedFor('USER_DEACTIVATED'));
  });

  test('Sends nothing of a channel that its owner has left', async () => {
    const socket = await TestSocket.open(await withSocket(bo));
    await ada.send(room.channelId, 'topic', 'seen');
    await bo.delete('/users/me/subscriptions', { subscriptions: [room.name] });
    await ada.send(room.channelId, 'topic', 'unseen');
    await ada.sendDirect([bo.userId], 'the end');
    await socket.until(() => socket.events.some(({ message }) => message?.content === 'the end'));
    const contents = socket.events.flatMap(({ message }) => message?.content ?? []);
    expect(contents).toEqual(['seen', 'the end']);
  });
});
