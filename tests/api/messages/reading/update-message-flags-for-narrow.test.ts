import { describe, expect, test } from 'vitest';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { inTopic } from '../lists/message-lists.ts';
import { flagEvents, flagsFor, unreadOf } from './flags.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const update = (client: Client, params: Params) => {
  const page = { anchor: 'oldest', num_before: 0, num_after: 5_000 };
  return client.post('/messages/flags/narrow', { ...page, op: 'add', flag: 'read', ...params });
};

describe('Updating flags for a narrow', () => {
  test('Marks everything unread as read, as modern clients do', async () => {
    const { name } = await createChannel(service, [ada, bo]);
    await bo.post('/mark_all_as_read');
    const ids: number[] = [];
    for (let n = 0; n < 5; n++) ids.push(await ada.send(name, 'a', String(n)));
    const queue = await bo.listen();
    const narrow = [{ operator: 'is', operand: 'unread' }];
    const { body } = await update(bo, { narrow });
    expect(body).toEqual({
      result: 'success',
      msg: '',
      processed_count: 5,
      updated_count: 5,
      first_processed_id: ids[0],
      last_processed_id: ids[4],
      found_oldest: true,
      found_newest: true,
      ignored_because_not_subscribed_channels: [],
    });
    expect(flagEvents(await queue.drain()).map(({ messages }) => messages)).toEqual([ids]);
    expect(await unreadOf(bo)).toEqual([]);
    expect((await update(bo, { narrow })).body).toMatchObject({
      processed_count: 0,
      updated_count: 0,
      first_processed_id: null,
      last_processed_id: null,
    });
  });

  test('Surrounds an anchor, and counts the messages looked at and changed', async () => {
    const { name, channelId } = await createChannel(service, [ada, bo]);
    const ids: number[] = [];
    for (let n = 0; n < 7; n++) ids.push(await ada.send(name, 'a', String(n)));
    const narrow = inTopic(channelId, 'a');
    const around = { narrow, anchor: ids[3], num_before: 2, num_after: 1 };
    expect((await update(bo, { ...around, flag: 'starred' })).body).toMatchObject({
      processed_count: 4,
      updated_count: 4,
      first_processed_id: ids[1],
      last_processed_id: ids[4],
      found_oldest: false,
      found_newest: false,
    });
    const behind = { ...around, num_before: 0, num_after: 2, include_anchor: false, flag: 'starred' };
    expect((await update(bo, behind)).body).toMatchObject({
      processed_count: 2,
      updated_count: 1,
      first_processed_id: ids[4],
    });
    const ahead = { ...around, num_before: 2, num_after: 0, include_anchor: false, flag: 'collapsed' };
    expect((await update(bo, ahead)).body).toMatchObject({
      processed_count: 2,
      first_processed_id: ids[1],
      last_processed_id: ids[2],
    });
    expect(await flagsFor(bo, ids[5] ?? 0)).toEqual(['starred']);
    expect(await flagsFor(bo, ids[0] ?? 0)).toEqual([]);
  });

  test('Starts from a date', async () => {
    const { name, channelId } = await createChannel(service, [ada, bo]);
    const id = await ada.send(name, 'a', '1');
    const narrow = [{ operator: 'channel', operand: channelId }];
    const since = (anchor_date: string) =>
      update(bo, { narrow, anchor: 'date', anchor_date, num_after: 1, flag: 'starred' });
    expect((await since('2990-01-01')).body).toMatchObject({ processed_count: 0, found_newest: true });
    expect((await since('2020-01-01T12:00:00Z')).body.first_processed_id).toBeLessThanOrEqual(id);
    expect(await flagsFor(bo, id)).toContain('starred');
  });

  test('Ignores channels without a subscription for marking as unread', async () => {
    const { name, channelId } = await createChannel(service, [ada]);
    const id = await ada.send(name, 'a', '1');
    const narrow = [{ operator: 'channel', operand: channelId }];
    expect((await update(bo, { narrow, op: 'remove' })).body).toMatchObject({
      updated_count: 0,
      last_processed_id: id,
      ignored_because_not_subscribed_channels: [channelId],
    });
    await expectConsistentSnapshot(service, [service.owner, ada, bo], async () => {
      await ada.send(name, 'a', '2');
      await update(ada, { narrow });
      await update(ada, { narrow, op: 'remove' });
      await update(ada, { narrow: [...narrow, { operator: 'topic', operand: 'a' }], flag: 'starred' });
    });
  });

  test('Does not read reactions and submessages', async () => {
    const { name, channelId } = await createChannel(service, [ada, bo]);
    const id = await ada.send(name, 'a', '1');
    const narrow = [{ operator: 'channel', operand: channelId }];
    const star = () => update(bo, { narrow, flag: 'starred' });
    await star();
    await service.settle();
    const { read } = await unitsOf(service, star);
    await bo.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    await service.settle();
    expect((await unitsOf(service, star)).read).toBe(read);
  });
});

test.each([
  [{ flag: 'mentioned' }, "Flag not editable: 'mentioned'"],
  [{ flag: 'x' }, "Invalid flag: 'x'"],
  [{ op: 'x' }, "Invalid message flag operation: 'x'"],
  [{ include_anchor: false, num_before: 1 }, 'The anchor can only be excluded at an end of the range'],
])('Updating flags for a narrow refuses %j', async (params, msg) => {
  expectRefusal(await update(bo, params), msg);
});

test('Updating flags for a narrow refuses one that cannot be evaluated', async () => {
  const desc = "unknown 'is' operand purple";
  const reply = await update(bo, { narrow: [['is', 'purple']] });
  expectRefusal(reply, `Invalid narrow operator: ${desc}`, { code: 'BAD_NARROW', desc });
});
