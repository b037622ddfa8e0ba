import { expect, test } from 'vitest';
import { runJob } from '#functions/workers/run-job.ts';
import { markUnsubscribedRead } from '#functions/workers/steps/mark-unsubscribed-read.ts';
import { listJobs } from '#shared/store/log/jobs.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { raiseFloor } from '#shared/store/reading/read-state.ts';
import { jobKeys } from '#shared/table/keys/jobs.ts';
import { logKeys, messageIndex, positionOfSortKey } from '#shared/table/keys/log.ts';
import { moveLogTo, sendAgain, withCalls } from '#tests/harness/log.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const { services } = service;
const { clock, table } = services;
/** Jobs run only when a test runs them. */
services.bus.publish = async () => {};

const jobsOf = async (type: string) => (await listJobs(table)).filter((job) => job.type === type);

test('A job is read once for its first step, and once for each step after it', async () => {
  const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
  await ada.subscribe('plans');
  await service.settle();
  await ada.subscribe('plans', { principals: [bo.userId, cy.userId] });
  const jobs = await listJobs(table);
  expect(Math.max(...jobs.map(({ steps }) => steps.length))).toBeGreaterThan(1);
  for (const { jobId, type, steps } of jobs) {
    let reads = 0;
    const { sk } = jobKeys.job(jobId);
    const counting = withCalls(services, () => ({
      find: (...asked) => {
        if (asked[0].sk === sk) reads++;
        return table.find(...asked);
      },
    }));
    await runJob(counting, { jobId, type });
    expect(reads, type).toBe(steps.length);
  }
  expect(await listJobs(table)).toEqual([]);
});

test.each([
  ['first', 'after'],
  ['first', 'while'],
  ['second', 'while'],
])(
  'Unread messages of a channel that the user left twice are marked once; the job of the %s time runs %s the other',
  async (which, when) => {
    const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
    const { channelId, name } = await createChannel(service, [bo]);
    const messageIds = [];
    for (const content of ['first', 'second']) {
      await ada.subscribe(name);
      messageIds.push(await bo.send(name, 'topic', content));
      await ada.delete('/users/me/subscriptions', { subscriptions: [name] });
    }
    const queue = await ada.listen({ event_types: ['update_message_flags'] });
    const departures = await jobsOf('mark-unsubscribed-read');
    expect(departures).toHaveLength(2);
    const byTime = departures.toSorted((a, b) => a.position - b.position);
    const [inner, outer] = which === 'first' ? byTime : byTime.toReversed();
    let isDone = when === 'after';
    const meanwhile = withCalls(services, (table) => ({
      transact: async (...args) => {
        if (!isDone) {
          isDone = true;
          await runJob(services, inner!);
        }
        return table.transact(...args);
      },
    }));
    await runJob(meanwhile, outer!);
    await runJob(services, inner!);
    const events = await queue.drain();
    expect(events.map(({ flag, op }) => [flag, op])).toEqual(events.map(() => ['read', 'add']));
    expect(events.flatMap(({ messages }) => messages)).toEqual(messageIds);
    const again = { rows: [[ada.userId, channelId]] as [number, number][] };
    for (const { position } of departures)
      expect(await markUnsubscribedRead(services, again, 0, position)).toBeUndefined();
  },
);

test('A message that is marked unread while the job of leaving its channel runs becomes read', async () => {
  const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  const { channelId, name } = await createChannel(service, [ada, bo]);
  const id = await bo.send(channelId, 'topic', 'hello');
  await ada.delete('/users/me/subscriptions', { subscriptions: [name] });
  await ada.subscribe(name);
  const [job] = await jobsOf('mark-unsubscribed-read');
  let isMarked = false;
  const meanwhile = withCalls(services, (table) => ({
    transact: async (...args) => {
      if (!isMarked)
        for (const op of ['add', 'remove'])
          await ada.post('/messages/flags', { messages: [id], op, flag: 'read' });
      isMarked = true;
      return table.transact(...args);
    },
  }));
  await runJob(meanwhile, job!);
  expect(isMarked).toBe(true);
  const { snapshot } = await ada.register({ fetch_event_types: ['message', 'update_message_flags'] });
  const unread = snapshot.unread_msgs.streams.flatMap(
    ({ unread_message_ids: ids }: { unread_message_ids: number[] }) => ids,
  );
  expect(unread).not.toContain(id);
});

test('The policies of a topic move with it if the job of its second move runs first', async () => {
  const [ada] = await createUsers(service, 'Ada');
  const { channelId } = await createChannel(service, [ada]);
  const id = await ada.send(channelId, 'a', 'hello');
  await ada.post('/user_topics', { stream_id: channelId, topic: 'a', visibility_policy: 3 });
  await service.settle();
  for (const topic of ['b', 'c']) await ada.patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' });
  const moves = await jobsOf('move-topic-preferences');
  expect(moves).toHaveLength(2);
  for (const job of moves.toSorted((a, b) => b.position - a.position)) await runJob(services, job);
  const { user_topics } = (await ada.register({ fetch_event_types: ['user_topic'] })).snapshot;
  expect(user_topics).toMatchObject([{ stream_id: channelId, topic_name: 'c', visibility_policy: 3 }]);
});

test('A mention in a moved and muted topic does not follow it, even if its job runs before that of the move', async () => {
  const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  const { channelId } = await createChannel(service, [ada, bo]);
  const id = await ada.send(channelId, 'a', 'hello');
  await bo.post('/user_topics', { stream_id: channelId, topic: 'a', visibility_policy: 1 });
  await service.settle();
  await ada.patch(`/messages/${id}`, { topic: 'b', propagate_mode: 'change_all' });
  await ada.send(channelId, 'b', `@**Bo|${bo.userId}** look`);
  const [mention] = await jobsOf('follow-mentioned');
  await runJob(services, mention!);
  const { user_topics } = (await bo.register({ fetch_event_types: ['user_topic'] })).snapshot;
  expect(user_topics).toMatchObject([{ stream_id: channelId, topic_name: 'b', visibility_policy: 1 }]);
  const others = (await listJobs(table)).map(({ type }) => type);
  expect(others).toContain('note-moved-messages');
  for (const job of await listJobs(table)) await runJob(services, job);
});

test.each([
  [10_000, [50, 1]],
  [10_001, [50]],
])(
  'The log is read for messages left unread while the index may lack them: %i ms later in parts of %j',
  async (laterMs, parts) => {
    const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
    const { channelId, name } = await createChannel(service, [ada, bo]);
    const { nowMs } = clock;
    const sentAtMs = clock.nowMs();
    clock.nowMs = () => sentAtMs;
    const first = await bo.send(channelId, 'topic', 'one of many');
    await sendAgain(services, [first], first + 49 - (await readCounter(table)));
    clock.nowMs = () => sentAtMs + laterMs;
    await ada.delete('/users/me/subscriptions', { subscriptions: [name] });
    const [job] = await jobsOf('mark-unsubscribed-read');
    expect(job?.position).toBe(first + 50);
    await raiseFloor(table, ada.userId, first - 1);
    const read: number[] = [];
    const list = table.list.bind(table);
    table.list = async (query) => {
      const [from, to] = [query.from, query.to].map((key) => positionOfSortKey(String(key)));
      if (query.partition.startsWith('LOG#') && query.attributes?.includes('message'))
        read.push(to! - from! + 1);
      return list(query);
    };
    await runJob(services, job!).finally(() => Object.assign(table, { list }));
    clock.nowMs = nowMs;
    expect(read).toEqual(parts);
  },
);

test('A left channel with more unread messages than one event holds is read by several events', async () => {
  const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  const { channelId, name } = await createChannel(service, [ada, bo]);
  const first = await bo.send(channelId, 'topic', 'one of many');
  const unread = Array.from({ length: 20_001 }, (_, n) => first + n);
  await moveLogTo(services, first + unread.length);
  const queue = await ada.listen({ event_types: ['update_message_flags'] });
  await ada.delete('/users/me/subscriptions', { subscriptions: [name] });
  const [job] = await jobsOf('mark-unsubscribed-read');
  const list = table.list.bind(table);
  table.list = async (query) => {
    const items = await list(query);
    return query.index === messageIndex.byChannel
      ? unread.map((position) => ({ ...items[0], ...logKeys.entry(position) }))
      : items;
  };
  await runJob(services, job!).finally(() => Object.assign(table, { list }));
  const flagged = (await queue.drain()).map(({ messages }) => messages);
  expect(flagged.map(({ length }) => length)).toEqual([20_000, 1]);
  expect(flagged.flat()).toEqual(unread);
});
