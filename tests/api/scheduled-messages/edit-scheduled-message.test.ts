import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import type { Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { expectNotScheduled, HOUR, inSeconds, recordOf, schedule } from './schedules.ts';

const service = await startTestService();
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const room = await createChannel(service, [ada, bo]);

const path = (id: number | string) => `/scheduled_messages/${id}`;

async function edit(id: number, params: Params) {
  const { status, body } = await ada.patch(path(id), params);
  expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
  return recordOf(ada, id);
}

/** Refused, and the scheduled message is as it was. */
async function refuse(id: number, params: Params, msg: string, refusal: Params = {}): Promise<void> {
  const before = await recordOf(ada, id);
  expectRefusal(await ada.patch(path(id), params), msg, refusal);
  expect(await recordOf(ada, id)).toEqual(before);
}

const scheduleToRoom = () => schedule(ada, { to: room.channelId });
const scheduleToBo = () => schedule(ada, { type: 'direct', to: [bo.userId] });

describe('Editing a scheduled message', () => {
  test(
    'Changes some fields, and sends the whole record to its owner',
    proves('create-scheduled-message.26'),
    async () => {
      const id = await scheduleToRoom();
      const before = await recordOf(ada, id);
      const [adas, bos] = await listenAll([ada, bo]);
      const after = await edit(id, { content: '*new* ' });
      expect(after).toEqual({ ...before, content: '*new*', rendered_content: '<p><em>new</em></p>' });
      expect(await adas.drain()).toEqual([
        { id: expect.any(Number), type: 'scheduled_messages', op: 'update', scheduled_message: after },
      ]);
      expect(await bos.drain()).toEqual([]);
    },
  );

  test('Renders its text again, except if only the time changes', async () => {
    const { name, channelId } = await createChannel(service, [ada]);
    const id = await schedule(ada, { to: room.channelId, content: `#**${name}**` });
    const before = await recordOf(ada, id);
    expect((await ada.patch(`/streams/${channelId}`, { new_name: `${name} of old` })).status).toBe(200);
    const scheduled_delivery_timestamp = inSeconds(2 * HOUR);
    const after = await edit(id, { scheduled_delivery_timestamp });
    expect(after).toEqual({ ...before, scheduled_delivery_timestamp });
    expect((await edit(id, { topic: 'elsewhere' })).rendered_content).not.toBe(before.rendered_content);
  });

  test('Moves it to another topic, channel or time', async () => {
    const id = await scheduleToRoom();
    const [to, other] = [room.channelId, (await createChannel(service, [ada])).channelId];
    expect(await edit(id, { topic: ' new topic ' })).toMatchObject({ topic: 'new topic', to });
    expect(await edit(id, { to: other })).toMatchObject({ topic: 'new topic', to: other });
    expect(await edit(id, { to: [to], topic: '' })).toMatchObject({ topic: '', to });
    const later = { scheduled_delivery_timestamp: inSeconds(2 * HOUR) };
    expect(await edit(id, later)).toMatchObject(later);
  });

  test('Moves it from a channel to people and back', async () => {
    const id = await scheduleToRoom();
    const direct = await edit(id, { type: 'direct', to: [cy.userId, bo.userId] });
    expect(direct).toMatchObject({ type: 'private', to: [bo.userId, cy.userId] });
    expect(direct).not.toHaveProperty('topic');
    expect(await edit(id, { to: [cy.userId] })).toMatchObject({ type: 'private', to: [cy.userId] });
    const params = { type: 'stream', to: room.channelId, topic: 'back' };
    expect(await edit(id, params)).toMatchObject({ type: 'stream', to: room.channelId, topic: 'back' });
  });

  test('Keeps the snapshot exact', async () => {
    const [toRoom, toBo] = [await scheduleToRoom(), await scheduleToBo()];
    await expectConsistentSnapshot(service, [ada, bo], async () => {
      await edit(toRoom, { content: 'new', scheduled_delivery_timestamp: inSeconds(3 * HOUR) });
      await edit(toBo, { type: 'channel', to: room.channelId, topic: '' });
    });
  });
});

describe('An edit of a scheduled message is refused', () => {
  test('If nothing changes', async () => {
    await refuse(await scheduleToRoom(), {}, 'Nothing to change');
    await refuse(await scheduleToRoom(), { read_by_sender: true }, 'Nothing to change');
  });

  test('If the type comes without a recipient or a topic that it needs', async () => {
    const id = await scheduleToBo();
    for (const type of ['channel', 'direct'])
      await refuse(id, { type }, 'Recipient required when updating type of scheduled message.');
    const msg = 'Topic required when updating scheduled message type to channel.';
    await refuse(id, { type: 'channel', to: room.channelId }, msg);
  });

  test('For a time in the past', async () => {
    const params = { scheduled_delivery_timestamp: inSeconds(-1) };
    await refuse(await scheduleToRoom(), params, 'Scheduled delivery time must be in the future.');
  });

  test.each([
    ['type', 'email', 'Invalid type'],
    ['to', '[]', 'Expected exactly one channel'],
    ['to', '[1,2]', 'Expected exactly one channel'],
    ['content', ' ', 'Message must not be empty'],
    ['content', 'a\u0000', 'Message must not contain null bytes'],
    ['topic', 'a\u0000', 'Invalid character in topic, at position 2!'],
  ])('With %s=%j', async (name, value, msg) => {
    await refuse(await scheduleToRoom(), { [name]: value }, msg);
  });

  test('For places in which the sender may not post', async () => {
    const id = await scheduleToRoom();
    const secret = await createChannel(service, [bo], { invite_only: true });
    const refusal = { code: 'STREAM_DOES_NOT_EXIST', stream_id: secret.channelId };
    const msg = `Channel with ID '${secret.channelId}' does not exist`;
    await refuse(id, { to: secret.channelId }, msg, refusal);
    await refuse(await scheduleToBo(), { to: [99_999] }, 'Invalid user ID 99999');
    await refuse(await scheduleToBo(), { to: [] }, 'Message must have recipients');
  });

  test('If it does not exist, or is another user’s', async () => {
    const id = await schedule(bo, { to: room.channelId });
    const before = await recordOf(bo, id);
    const change = { content: 'x' };
    for (const client of [ada, service.owner]) expectNotScheduled(await client.patch(path(id), change));
    for (const nobodys of [99_999, 0, -1, 2 ** 40])
      expectNotScheduled(await ada.patch(path(nobodys), change));
    expect(await recordOf(bo, id)).toEqual(before);
  });
});
