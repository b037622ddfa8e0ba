import { beforeEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { readCounter } from '#shared/store/log/log.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import type { Client } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { interrupt, reads } from '#tests/harness/interruption.ts';
import { sendAgain } from '#tests/harness/log.ts';
import { createChannel, createUser, createUsers, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { topicsOf } from './message-changes.ts';

let channel: TestChannel;

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', roles.guest);
beforeEach(async () => {
  channel = await createChannel(service, [ada, bo, guest]);
});

const send = (topic = 'a', text = 'hi') => ada.send(channel.name, topic, text);

describe('Deleting a topic', () => {
  const removeTopic = (client: Client, topic: string) =>
    client.post(`/streams/${channel.channelId}/delete_topic`, { topic_name: topic });

  test('Deletes its messages, and reports when all are gone', async () => {
    for (let n = 0; n < 3; n++) await send('gone', `${n}`);
    const kept = await send('kept');
    await service.owner.subscribe(channel.name);
    await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () => {
      const { status, body } = await removeTopic(service.owner, 'Gone');
      expect([status, body.complete]).toEqual([200, true]);
    });
    const topics = await topicsOf(bo, channel);
    expect(topics).toEqual([{ name: 'kept', max_id: kept }]);
    expect((await removeTopic(service.owner, 'gone')).body).toMatchObject({ complete: true });
  });

  test('Makes a message of another topic the first of its channel, and notifies readers', async () => {
    const next = await send('kept');
    await service.owner.subscribe(channel.name);
    const queue = await bo.listen();
    expect((await removeTopic(service.owner, 'channel events')).body.complete).toBe(true);
    expect((await queue.drain()).filter(({ type }) => type === 'stream')).toMatchObject([
      { op: 'update', stream_id: channel.channelId, property: 'first_message_id', value: next },
    ]);
  });

  test('Leaves messages from before the caller subscribed, if the history is protected', async () => {
    const hidden = await createChannel(service, [ada], {
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const before = await ada.send(hidden.name, 'old', 'unread by others');
    await ada.post('/users/me/subscriptions', {
      subscriptions: [{ name: hidden.name }],
      principals: [service.owner.userId],
    });
    const after = await ada.send(hidden.name, 'old', 'read by all');
    const { body } = await service.owner.post(`/streams/${hidden.channelId}/delete_topic`, {
      topic_name: 'old',
    });
    expect(body.complete).toBe(true);
    expect((await ada.get(`/messages/${before}`)).status).toBe(200);
    expect((await ada.get(`/messages/${after}`)).status).toBe(400);
  });

  test('Requires the right to delete any message of the channel', async () => {
    await send('gone');
    const { status, body } = await removeTopic(ada, 'gone');
    expect([status, body.msg]).toEqual([400, "You don't have permission to delete this message"]);
    const hidden = await createChannel(service, [ada], { invite_only: true });
    const kept = await ada.send(hidden.name, 'a', 'for subscribers');
    for (const stranger of [bo, service.owner]) {
      const reply = await stranger.post(`/streams/${hidden.channelId}/delete_topic`, { topic_name: 'a' });
      expect(reply.body.msg).toBe('Invalid channel ID');
    }
    expect((await ada.get(`/messages/${kept}`)).status).toBe(200);
  });

  test('Goes from the newest to the oldest, and reports if one call was not enough', async () => {
    await service.owner.subscribe(channel.name);
    const oldest = await send('long', 'a'.repeat(10_000));
    const ids = [oldest, ...(await sendAgain(service.services, [oldest], 130))];
    const queue = await service.owner.listen({
      event_types: ['delete_message'],
      client_capabilities: { bulk_message_deletion: true },
    });
    expect((await removeTopic(service.owner, 'long')).body.complete).toBe(false);
    expect((await removeTopic(service.owner, 'long')).body.complete).toBe(true);
    const gone = (await queue.drain()).map(({ message_ids }) => message_ids);
    expect(gone.at(-1)).toEqual(ids.slice(0, 3));
    expect(gone.flat().toSorted((a, b) => a - b)).toEqual(ids);
  });

  test('Does nothing if another user deleted the messages meanwhile', async () => {
    await service.owner.subscribe(channel.name);
    const id = await send('gone');
    const event_types = ['delete_message'];
    const queue = await bo.listen({ event_types, client_capabilities: { bulk_message_deletion: true } });
    const isRead = reads(logKeys.entry(id));
    let end = 0;
    interrupt(service, { findMany: (some) => some.some((key) => isRead(key)) }, async () => {
      await service.owner.delete(`/messages/${id}`);
      end = await readCounter(service.services.table);
    });
    expect((await removeTopic(service.owner, 'gone')).body.complete).toBe(true);
    expect(await readCounter(service.services.table)).toBe(end);
    expect((await queue.drain()).map(({ message_ids }) => message_ids)).toEqual([[id]]);
  });

  test('Costs a few units for each message', async () => {
    await service.owner.subscribe(channel.name);
    for (let n = 0; n < 80; n++) await send('many', `${n}`);
    service.meter.reset();
    expect((await removeTopic(service.owner, 'many')).body.complete).toBe(true);
    expect(service.meter.write / 80).toBeLessThan(7);
    await send('one');
    await service.settle();
    const release = holdJobs(service);
    service.meter.reset();
    expect((await removeTopic(service.owner, 'one')).body.complete).toBe(true);
    expect(service.meter.read).toBeLessThanOrEqual(20);
    await release();
  });
});
