import { expect, test } from 'vitest';
import { readBlockSummary } from '#shared/domain/messages/block-summary.ts';
import { commit } from '#shared/log/commit.ts';
import { readTended } from '#shared/log/head.ts';
import { maintainLog } from '#shared/log/maintenance.ts';
import { getBlockSummary } from '#shared/store/log/block-summaries.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { blockOf, lastOfBlock, logKeys, logPartitions } from '#shared/table/keys/log.ts';
import { eventFor, messageFor, moveLogTo, withCalls } from '#tests/harness/log.ts';
import { createUser } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const { services } = service;
const ada = await createUser(service, 'Ada');

/** As if no sweep had come further. */
const moveTendedBack = (tendedPosition: number): Promise<void> =>
  services.table.write({ kind: 'update', key: logKeys.lowWaterMark(), set: { tendedPosition } });

test('A sweep that crashes at the last message of a block leaves it to the next sweep', async () => {
  const last = lastOfBlock(blockOf(await readCounter(services.table)));
  await moveLogTo(services, last - 1);
  await maintainLog(services);
  // As if its sender had crashed between the message and its summaries.
  expect(await commit(services, await messageFor(services, ada.userId, 'psst'))).toBe(last);
  const dying = withCalls(services, () => ({
    findMany: async () => {
      throw new Error('The sweep died');
    },
  }));
  await expect(maintainLog(dying)).rejects.toThrow('The sweep died');
  await commit(services, eventFor(ada.userId, 1));
  await maintainLog(services);
  // Without unread messages, which would be searched further back in the log.
  const { snapshot } = await ada.register({ fetch_event_types: ['recent_private_conversations'] });
  const conversations = snapshot.recent_private_conversations;
  expect(conversations).toContainEqual(expect.objectContaining({ max_message_id: last }));
});

test('A sweep does not repeat existing summaries, since refused writes cost as well', async () => {
  const channelId = await ada.subscribe('summed up');
  await ada.send('summed up', 'topic', 'hello');
  await ada.sendDirect([service.owner.userId], 'hello');
  const position = await readCounter(services.table);
  let summaries = 0;
  let blocks = 0;
  const counting = withCalls(services, (table) => ({
    transact: async (writes, token) => {
      for (const write of writes) if (write.kind === 'update' && write.set?.maxMessageId) summaries++;
      return table.transact(writes, token);
    },
    write: async (write) => {
      if (write.kind === 'put' && write.item.pk === logPartitions.blockSummaries()) blocks++;
      return table.write(write);
    },
  }));
  await maintainLog(counting);
  expect([summaries, blocks]).toEqual([0, 1]);
  expect(await readTended(services.table)).toBe(position);
  // As if their writers had died before they noted it.
  const topic = channelKeys.topic(channelId, 'topic');
  await services.table.write({ kind: 'delete', key: topic });
  await moveTendedBack(position - 10);
  await maintainLog(counting);
  expect([summaries, blocks]).toEqual([1, 1]);
  expect(await services.table.find(topic)).toMatchObject({ topic: 'topic' });
});

test('A sweep that crashed before it stored its progress counts no message twice in a summary', async () => {
  await ada.subscribe('twice');
  const first = await ada.send('twice', 'topic', 'one');
  await maintainLog(services);
  await moveTendedBack(first - 1);
  const second = await ada.send('twice', 'topic', 'two');
  await maintainLog(services);
  const summary = await getBlockSummary(services.table, blockOf(second));
  expect(summary.to).toBe(await readCounter(services.table));
  const ids = readBlockSummary(summary).map(({ messageId }) => messageId);
  expect(ids.filter((id) => id >= first)).toEqual([first, second]);
});
