import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { allIdsOfTopic, fillTopic, move, topicsOf } from '#tests/api/messages/message-changes.ts';
import { interrupt, reads } from '#tests/harness/interruption.ts';
import { createChannel, createUser, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

let channel: TestChannel;

const service = await startTestService();
const ada = await createUser(service, 'Ada');
beforeEach(async () => {
  channel = await createChannel(service, [ada]);
});
afterAll(() => service.stop());

const fill = (topic: string, count: number) => fillTopic(ada, channel, topic, count);
const idsOfTopic = (topic: string) => allIdsOfTopic(ada, channel, topic);
const whole = (topic: string) => ({ topic, propagate_mode: 'change_all' });

describe('Moving a whole topic', () => {
  test('Moves a message that arrives meanwhile', async () => {
    const ids = await fill('a', 2);
    const summary = channelKeys.topic(channel.channelId, 'a');
    const { hasHappened } = interrupt(service, { find: reads(summary) }, async () => {
      ids.push(...(await fill('a', 1)));
    });
    expect((await move(ada, ids[0] ?? 0, whole('b'))).status).toBe(200);
    expect(hasHappened()).toBe(true);
    expect(await idsOfTopic('b')).toEqual(ids);
    expect(await topicsOf(ada, channel)).toEqual([{ name: 'b', max_id: ids[2] }]);
  });

  test('Leaves nothing of the topic, even if a late summary names a message that has left it', async () => {
    const ids = await fill('a', 3);
    const [first = 0, , last = 0] = ids;
    await move(ada, last, { topic: 'elsewhere' });
    const late = { topic: 'a', maxMessageId: last };
    await service.services.table.write({
      kind: 'update',
      key: channelKeys.topic(channel.channelId, 'a'),
      set: late,
    });
    expect((await move(ada, first, whole('b'))).status).toBe(200);
    expect(await idsOfTopic('b')).toEqual(ids.slice(0, 2));
    expect(await topicsOf(ada, channel)).toEqual([
      { name: 'elsewhere', max_id: last },
      { name: 'b', max_id: ids[1] },
    ]);
  });
});
