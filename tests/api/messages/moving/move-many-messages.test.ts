import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { logKeys } from '#shared/table/keys/log.ts';
import { allIdsOfTopic, fillTopic, move } from '#tests/api/messages/message-changes.ts';
import type { Client } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { interrupt, writes } from '#tests/harness/interruption.ts';
import { sendAgain } from '#tests/harness/log.ts';
import { archiveChannel, createChannel, createUsers, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

let channel: TestChannel;

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
beforeEach(async () => {
  channel = await createChannel(service, [ada, bo]);
});
afterAll(() => service.stop());

const fill = (topic: string, count: number) => fillTopic(ada, channel, topic, count);
const idsOfTopic = (client: Client, topic: string) => allIdsOfTopic(client, channel, topic);

describe('Moving many messages', () => {
  async function fillAtOnce(topic: string, count: number): Promise<number[]> {
    const [first = 0] = await fill(topic, 1);
    const others = await sendAgain(service.services, [first], count - 2);
    return [first, ...others, ...(await fill(topic, 1))];
  }

  test('Continues after the reply until all are moved', async () => {
    const ids = await fillAtOnce('many', 90);
    await expectConsistentSnapshot(service, [ada, bo], async () => {
      await move(ada, ids[0] ?? 0, { topic: 'there', propagate_mode: 'change_all' });
      await service.settle();
    });
    expect(await idsOfTopic(bo, 'there')).toEqual(ids);
    expect(await idsOfTopic(bo, 'many')).toEqual([]);
  });

  test('Leaves messages before the first one, and messages that arrive after the reply', async () => {
    const ids = await fillAtOnce('many', 92);
    const release = holdJobs(service);
    const changes = { topic: 'there', propagate_mode: 'change_later' };
    expect((await move(ada, ids[2] ?? 0, changes)).status).toBe(200);
    const [late] = await fill('many', 1);
    await release();
    expect(await idsOfTopic(bo, 'there')).toEqual(ids.slice(2));
    expect(await idsOfTopic(bo, 'many')).toEqual([...ids.slice(0, 2), late]);
  });

  test('Continues if one of them is edited, and a second move too soon answers "try again"', async () => {
    const ids = await fillAtOnce('many', 90);
    const release = holdJobs(service);
    const changes = { topic: 'there', propagate_mode: 'change_all', content: 'new' };
    expect((await move(ada, ids[89] ?? 0, changes)).status).toBe(200);
    const [first, last] = [logKeys.entry(ids[36] ?? 0), logKeys.entry(ids[89] ?? 0)];
    interrupt(service, { transact: writes(first) }, () => service.advance(16_000));
    const early = await move(ada, ids[0] ?? 0, { topic: 'back', propagate_mode: 'change_all' });
    expect([early.status, early.body.code]).toEqual([429, 'RATE_LIMIT_HIT']);
    const rest = interrupt(service, { transact: writes(last) }, () => undefined);
    await release();
    expect(rest.hasHappened()).toBe(true);
    expect(await idsOfTopic(bo, 'there')).toEqual(ids);
    expect((await bo.get(`/messages/${ids[89]}`)).body.message.content).toBe('<p>new</p>');
  });

  test('Sends nothing of a channel that is archived meanwhile to clients that do not support those', async () => {
    const ids = await fillAtOnce('many', 90);
    const release = holdJobs(service);
    await move(ada, ids[0] ?? 0, { topic: 'there', propagate_mode: 'change_all' });
    await archiveChannel(service, channel);
    const event_types = ['update_message'];
    const [knowing, old] = [
      await bo.register({ event_types, client_capabilities: { archived_channels: true } }),
      await bo.register({ event_types }),
    ];
    await release();
    expect(await knowing.drain()).toMatchObject([{ message_ids: ids.slice(-15) }]);
    expect(await old.drain()).toEqual([]);
  });

  test('Costs a few units for each', async () => {
    const ids = await fillAtOnce('many', 50);
    service.meter.reset();
    await move(ada, ids[0] ?? 0, { topic: 'there', propagate_mode: 'change_all' });
    expect(service.meter.write / ids.length).toBeLessThan(7);
  });
});
