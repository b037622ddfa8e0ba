import { afterAll, expect, test } from 'vitest';
import { openRoom } from './room.ts';

const { ada, bo, room, page } = await openRoom();
const { sending } = page.net;
let stop: () => void = sending.watchOutbox();
afterAll(() => stop());

const lunch = (topic = 'lunch') => ({ type: 'stream', channelId: room.channelId, topic });
const outbox = () => sending.outbox.value;
const contents = async (topic: string) => {
  const narrow = [
    { operator: 'channel', operand: room.channelId },
    { operator: 'topic', operand: topic },
  ];
  const query = { narrow, anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false };
  const { body } = await bo.get('/messages', query);
  return body.messages.map(({ content }: { content: string }) => content);
};
const untilSent = () => page.sees(() => outbox().length === 0);
/** Each state in which a message stood in the outbox until it left. */
async function statesOf(content: string): Promise<object[]> {
  const states: object[] = [];
  const end = sending.outbox.subscribe((all: { content: string }[]) =>
    states.push(...all.filter((pending) => pending.content === content)),
  );
  await untilSent();
  end();
  return states;
}
const left = () => Object.entries(page.browser.localStorage).filter(([name]) => name.startsWith('outbox'));

test('A sent message appears in the outbox at once, and leaves it when its event came', async () => {
  sending.send(lunch(), 'Soup');
  expect(outbox()).toMatchObject([{ content: 'Soup', status: 'sending', userId: ada.userId, failures: 0 }]);
  expect(JSON.stringify(left())).toContain('Soup');
  await untilSent();
  await page.sees(() => page.net.store.cache.value.byId.size > 0);
  expect(await contents('lunch')).toEqual(['Soup']);
  expect(left()).toEqual([]);
  const { params } = page.calls.findLast(({ call }) => call === 'POST /messages') ?? {};
  expect(params).toMatchObject({
    ...{ type: 'channel', to: `${room.channelId}`, topic: 'lunch', read_by_sender: 'true' },
    queue_id: page.net.queue.queueId,
  });
  expect(Number(params?.local_id)).toBeGreaterThan(0);
  sending.send({ type: 'private', userIds: [bo.userId] }, 'For you');
  await untilSent();
  const sent = page.calls.findLast(({ call }) => call === 'POST /messages');
  expect(sent?.params).toMatchObject({ type: 'direct', to: `[${bo.userId}]` });
});

test('Messages of one conversation are sent one after another, in the order of writing', async () => {
  for (const text of ['one', 'two', 'three']) sending.send(lunch('order'), text);
  expect(outbox().map(({ status }: { status: string }) => status)).toEqual(['sending', 'waiting', 'waiting']);
  await untilSent();
  expect(await contents('order')).toEqual(['one', 'two', 'three']);
});

test('A message whose answer was lost is sent again, and exists once', async () => {
  page.interceptNext(async (_method, path, init) => {
    await fetch(`/api/v1${path}`, init);
    throw new TypeError('fetch failed');
  });
  sending.send(lunch('lost'), 'Once');
  await untilSent();
  expect(await contents('lost')).toEqual(['Once']);
});

test('A message leaves the outbox when its event comes, even without an answer', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<Response>();
  page.interceptNext((_method, path, init) => {
    void fetch(`/api/v1${path}`, init)
      .then(() => page.sees(() => outbox().length === 0))
      .then(() => answer(Response.json({ id: 1 })));
    return answered;
  });
  sending.send(lunch('slow'), 'Heard');
  await answered;
  expect(await contents('slow')).toEqual(['Heard']);
});

test('A refused message stays with its reason, and can be retried or deleted', async () => {
  page.refuseNext('Not today');
  sending.send(lunch('refused'), 'Please');
  await page.sees(() => outbox()[0]?.status === 'failed');
  expect(outbox()[0].reason).toBe('Not today');
  expect(JSON.stringify(left())).toContain('Please');
  sending.retry(outbox()[0].id);
  await untilSent();
  expect(await contents('refused')).toEqual(['Please']);
  page.refuseNext('Not today');
  sending.send(lunch('refused'), 'Never mind');
  await page.sees(() => outbox()[0]?.status === 'failed');
  sending.forget(outbox()[0].id);
  expect(outbox()).toEqual([]);
  expect(left()).toEqual([]);
});

test.each([
  [429, { 'retry-after': 0.1 }, 'Waiting a moment before sending'],
  [503, {}, 'Can’t send right now'],
])('A message waits after an answer %i and is sent then', async (status, body, reason) => {
  page.interceptNext(() => Response.json({ result: 'error', msg: 'x', ...body }, { status }));
  sending.send(lunch(`after ${status}`), 'Later');
  expect(await statesOf('Later')).toContainEqual(
    expect.objectContaining({ status: 'waiting', failures: 1, reason }),
  );
  expect(await contents(`after ${status}`)).toEqual(['Later']);
});

test('A message that an earlier session may have sent is looked up, and exists once', async () => {
  const reused = () =>
    Response.json({ result: 'error', msg: 'x', code: 'IDEMPOTENCY_KEY_REUSED' }, { status: 400 });
  await ada.send(room.channelId, 'doubt', 'Taken');
  page.interceptNext(reused);
  sending.send(lunch('doubt'), 'Taken');
  await untilSent();
  expect(await contents('doubt')).toEqual(['Taken']);
  page.interceptNext(reused);
  sending.send(lunch('doubt'), 'Not taken');
  await untilSent();
  expect(await contents('doubt')).toEqual(['Taken', 'Not taken']);
});

test('Messages of a closed page are sent by the next one, and old ones wait for the viewer', async () => {
  const pending = (content: string, timestamp: number) => ({
    ...{ id: crypto.randomUUID(), idempotencyKey: crypto.randomUUID(), queueId: page.net.queue.queueId },
    ...{ localId: `1.${content.length}`, userId: ada.userId, conversation: lunch('left'), content },
    ...{ timestamp, status: 'sending', failures: 0 },
  });
  const nowSeconds = Date.now() / 1000;
  const entries = [pending('Fresh', nowSeconds), pending('Old', nowSeconds - 3600)];
  const others = [pending('Of another', nowSeconds)];
  page.browser.localStorage[`outbox ${ada.userId} closed`] = JSON.stringify(entries);
  page.browser.localStorage[`outbox ${bo.userId} other`] = JSON.stringify(others);
  stop();
  stop = sending.watchOutbox();
  await page.sees(() => page.notice()?.text.includes('sent before'));
  expect(page.notice()?.text).toBe('1 message wasn’t sent before the page closed');
  await page.sees(() => outbox().length === 1);
  expect(outbox()).toMatchObject([{ content: 'Old', status: 'failed' }]);
  expect(await contents('left')).toEqual(['Fresh']);
  expect(left().map(([name]) => name)).not.toContain(`outbox ${ada.userId} closed`);
  expect(left().map(([name]) => name)).toContain(`outbox ${bo.userId} other`);
  sending.forget(outbox()[0].id);
});

test('A message is scheduled or refused, and a text is previewed as the service renders it', async () => {
  const at = Math.floor(Date.now() / 1000) + 86_400;
  expect(await sending.schedule(lunch(), 'Tomorrow', at)).toBe(true);
  await page.sees(() => page.net.store.server.value.scheduled_messages.length === 1);
  expect(page.net.store.server.value.scheduled_messages[0]).toMatchObject({
    ...{ to: room.channelId, topic: 'lunch', content: 'Tomorrow', scheduled_delivery_timestamp: at },
  });
  expect(await sending.schedule(lunch(), 'Yesterday', 1)).toBe(false);
  expect(page.notice()?.text).toMatch(/^Couldn’t schedule the message: /);
  expect(await sending.preview('**bold**')).toBe('<p><strong>bold</strong></p>');
});
