import { afterAll, expect, test } from 'vitest';
import { readCounter } from '#shared/store/log/log.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
afterAll(() => service.stop());

test('An edit to the current values changes nothing, and the log stays as it is', async () => {
  const { owner, services } = service;
  const channelId = await owner.subscribe('plans');
  await owner.patch(`/streams/${channelId}`, { description: 'What comes next' });
  await service.settle();
  const before = await readCounter(services.table);
  for (const params of [
    { description: 'What comes next' },
    { is_private: false, history_public_to_subscribers: true },
    { is_default_stream: false, is_archived: false },
    { topics_policy: 'inherit', message_retention_days: 'realm_default' },
  ]) {
    const { status } = await owner.patch(`/streams/${channelId}`, params);
    expect([params, status, await readCounter(services.table)]).toEqual([params, 200, before]);
  }
});

test('A channel that allows only one topic is edited without reading its topics', async () => {
  const { owner, meter } = service;
  const readsOf = async (channelId: number): Promise<number> => {
    await service.settle();
    const release = holdJobs(service);
    meter.reset();
    expect((await owner.patch(`/streams/${channelId}`, { description: 'edited' })).status).toBe(200);
    const { read } = meter;
    await release();
    return read;
  };
  const any = await readsOf(await owner.subscribe('any'));
  const single = await owner.subscribe('single', { topics_policy: 'empty_topic_only' });
  expect(await readsOf(single)).toBe(any);
});
