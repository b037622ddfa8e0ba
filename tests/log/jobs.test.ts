import { afterAll, beforeAll, expect, test } from 'vitest';
import { runJob } from '#functions/workers/run-job.ts';
import { markUnsubscribedRead } from '#functions/workers/steps/mark-unsubscribed-read.ts';
import { listJobs } from '#shared/store/log/jobs.ts';
import { keys } from '#shared/table/keys.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService, type TestService } from '#tests/harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('a job is read once for its first step, and once for each step after it', async () => {
  const { services } = service;
  const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
  await ada.subscribe('plans');
  await service.settle();
  services.bus.publish = async () => {};
  await ada.subscribe('plans', { principals: [bo.userId, cy.userId] });
  const jobs = await listJobs(services.table);
  expect(Math.max(...jobs.map(({ steps }) => steps.length))).toBeGreaterThan(1);
  for (const { jobId, type, steps } of jobs) {
    let reads = 0;
    const { sk } = keys.job(jobId);
    const table = Object.create(services.table, {
      find: {
        value: (...asked: Parameters<typeof services.table.find>) => {
          if (asked[0].sk === sk) reads++;
          return services.table.find(...asked);
        },
      },
    });
    await runJob({ ...services, table }, { jobId, type });
    expect(reads, type).toBe(steps.length);
  }
  expect(await listJobs(services.table)).toEqual([]);
});

test('what was unread in a channel that one left twice is marked once, whichever job comes first', async () => {
  const { services } = service;
  const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
  const channelId = await bo.subscribe('twice left');
  await service.settle();
  services.bus.publish = async () => {};
  const leave = () => ada.delete('/users/me/subscriptions', { subscriptions: ['twice left'] });
  const messageIds = [];
  for (const content of ['first', 'second']) {
    await ada.subscribe('twice left');
    messageIds.push(await bo.send('twice left', 'topic', content));
    await leave();
  }
  const queue = await ada.listen({ event_types: ['update_message_flags'] });
  const jobs = await listJobs(services.table);
  const departures = jobs.filter(({ type }) => type === 'mark-unsubscribed-read');
  expect(departures).toHaveLength(2);
  for (const job of departures.toSorted((a, b) => b.position - a.position)) await runJob(services, job);
  const events = await queue.drain();
  expect(events).toMatchObject([{ flag: 'read', op: 'add', messages: messageIds }]);
  const again = { rows: [[ada.userId, channelId]] as [number, number][] };
  for (const { position } of departures)
    expect(await markUnsubscribedRead(services, again, 0, position)).toBeUndefined();
});

test('what people want of a topic goes on with it where the job of its second move comes first', async () => {
  const { services } = service;
  const [ada] = await createUsers(service, 'Ada');
  const { channelId } = await createChannel(service, [ada]);
  const id = await ada.send(channelId, 'a', 'hello');
  await ada.post('/user_topics', { stream_id: channelId, topic: 'a', visibility_policy: 3 });
  await service.settle();
  services.bus.publish = async () => {};
  for (const topic of ['b', 'c']) await ada.patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' });
  const moves = (await listJobs(services.table)).filter(({ type }) => type === 'move-topic-preferences');
  expect(moves).toHaveLength(2);
  for (const job of moves.toSorted((a, b) => b.position - a.position)) await runJob(services, job);
  const { user_topics } = (await ada.register({ fetch_event_types: ['user_topic'] })).snapshot;
  expect(user_topics).toMatchObject([{ stream_id: channelId, topic_name: 'c', visibility_policy: 3 }]);
});
