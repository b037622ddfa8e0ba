import { describe, expect, test } from 'vitest';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { archiveChannel, createChannel, createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { HOUR, inSeconds, listScheduled, recordOf, schedule } from './schedules.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);

const valid = (): Params => ({
  type: 'channel',
  to: room.channelId,
  topic: 'topic',
  content: 'later',
  scheduled_delivery_timestamp: inSeconds(HOUR),
});

/** Refused, and nothing is scheduled. */
async function refuse(sender: Client, params: Params, msg: string, refusal: Params = {}): Promise<void> {
  const before = await listScheduled(sender);
  expectRefusal(await sender.post('/scheduled_messages', { ...valid(), ...params }), msg, refusal);
  expect(await listScheduled(sender)).toEqual(before);
}

const noChannel = (stream_id: number) => ({ code: 'STREAM_DOES_NOT_EXIST', stream_id });

describe('Scheduling a message', () => {
  test(
    'Returns an id and notifies the sender only, with the whole record',
    proves(
      'create-scheduled-message.1',
      'create-scheduled-message.2',
      'create-scheduled-message.8',
      'create-scheduled-message.21',
      'create-scheduled-message.22',
      'create-scheduled-message.24',
      'create-scheduled-message.25',
    ),
    async () => {
      const [adas, bos, owners] = await listenAll([ada, bo, service.owner]);
      const at = inSeconds(HOUR);
      const params = {
        ...valid(),
        topic: ' Logo ',
        content: '**later**\n',
        scheduled_delivery_timestamp: at,
      };
      const { status, body } = await ada.post('/scheduled_messages', params);
      const { scheduled_message_id } = body;
      expect([status, scheduled_message_id]).toEqual([200, expect.any(Number)]);
      expect(body).toEqual({ result: 'success', msg: '', scheduled_message_id });
      const record = {
        scheduled_message_id,
        type: 'stream',
        to: room.channelId,
        topic: 'Logo',
        content: '**later**',
        rendered_content: '<p><strong>later</strong></p>',
        scheduled_delivery_timestamp: at,
        failed: false,
      };
      expect(await adas.drain()).toEqual([
        { id: expect.any(Number), type: 'scheduled_messages', op: 'add', scheduled_messages: [record] },
      ]);
      expect(await bos.drain()).toEqual([]);
      expect(await owners.drain()).toEqual([]);
      expect(await listScheduled(ada)).toContainEqual(record);
    },
  );

  test(
    'Stores a direct message without the sender and without a topic',
    proves('create-scheduled-message.9', 'create-scheduled-message.13', 'create-scheduled-message.21'),
    async () => {
      const [cy, di] = await createUsers(service, 'Cy', 'Di');
      for (const [to, recorded] of [
        [[bo.userId], [bo.userId]],
        [bo.userId, [bo.userId]],
        [
          [di.userId, cy.userId, bo.userId],
          [bo.userId, di.userId],
        ],
        [[cy.userId, di.userId, di.userId], [di.userId]],
        [[cy.userId], [cy.userId]],
      ]) {
        const id = await schedule(cy, { type: 'direct', to });
        const record = await recordOf(cy, id);
        expect(record).toMatchObject({ type: 'private', to: recorded });
        expect(record).not.toHaveProperty('topic');
      }
    },
  );

  test(
    'Accepts all words for the type, and a channel in a list',
    proves(
      'create-scheduled-message.5',
      'create-scheduled-message.6',
      'create-scheduled-message.8',
      'create-scheduled-message.28',
    ),
    async () => {
      const [cy] = await createUsers(service, 'Cy');
      await cy.subscribe(room.name);
      for (const type of ['channel', 'stream']) await schedule(cy, { type, to: [room.channelId] });
      for (const type of ['direct', 'private']) await schedule(cy, { type, to: [bo.userId] });
      const toChannel = { type: 'stream', to: room.channelId };
      const toPerson = { type: 'private', to: [bo.userId] };
      expect(await listScheduled(cy)).toMatchObject([toChannel, toChannel, toPerson, toPerson]);
    },
  );

  test('Accepts the older name of the topic, also in an edit', async () => {
    const id = await schedule(ada, { to: room.channelId, topic: undefined, subject: 'old name' });
    expect(await recordOf(ada, id)).toMatchObject({ topic: 'old name' });
    await ada.patch(`/scheduled_messages/${id}`, { subject: 'another' });
    expect(await recordOf(ada, id)).toMatchObject({ topic: 'another' });
  });

  test('Gives every scheduled message an id of its own', proves('create-scheduled-message.3'), async () => {
    const ids = await Promise.all([1, 2, 3, 4].map(() => schedule(ada, { to: room.channelId })));
    expect(new Set(ids).size).toBe(4);
  });

  test(
    'Names the empty topic for older clients',
    proves('create-scheduled-message.29', 'create-scheduled-message.30'),
    async () => {
      const old = await ada.listen();
      const capable = await ada.listen({ client_capabilities: { empty_topic_name: true } });
      await schedule(ada, { to: room.channelId, topic: '(no topic)' });
      expect(await old.drain()).toMatchObject([{ scheduled_messages: [{ topic: 'general chat' }] }]);
      expect(await capable.drain()).toMatchObject([{ scheduled_messages: [{ topic: '' }] }]);
    },
  );

  test(
    'Cuts long content and topics',
    proves('create-scheduled-message.11', 'create-scheduled-message.14'),
    async () => {
      const queue = await ada.listen();
      await schedule(ada, { to: room.channelId, topic: 'x'.repeat(61), content: 'y'.repeat(10_001) });
      const [event] = await queue.drain();
      expect(event?.scheduled_messages[0]).toMatchObject({
        topic: `${'x'.repeat(57)}...`,
        content: expect.stringMatching(/y\n\[message truncated\]$/),
      });
      expect(event?.scheduled_messages[0].content).toHaveLength(10_000);
    },
  );

  test('Keeps the snapshot exact', async () => {
    await expectConsistentSnapshot(service, [ada, bo, service.owner], async () => {
      await schedule(ada, { to: room.channelId, scheduled_delivery_timestamp: inSeconds(2 * HOUR) });
      const at = inSeconds(HOUR + 5);
      await schedule(ada, { type: 'direct', to: [bo.userId], scheduled_delivery_timestamp: at });
      await schedule(bo, { to: room.channelId, topic: '' });
    });
  });
});

describe('Scheduling a message is refused', () => {
  test.each(['type', 'to', 'content', 'scheduled_delivery_timestamp'])(
    'Without %s',
    proves(
      'create-scheduled-message.5',
      'create-scheduled-message.7',
      'create-scheduled-message.10',
      'create-scheduled-message.16',
    ),
    async (name) => {
      expectMissing(await ada.post('/scheduled_messages', { ...valid(), [name]: undefined }), name);
    },
  );

  test('For a time in the past', proves('create-scheduled-message.16'), async () => {
    const past = [0, -1, -1_000_000_000].map(inSeconds);
    for (const scheduled_delivery_timestamp of [...past, -5])
      await refuse(ada, { scheduled_delivery_timestamp }, 'Scheduled delivery time must be in the future.');
  });

  test('With content that no message may have', async () => {
    for (const content of ['', ' \n ']) await refuse(ada, { content }, 'Message must not be empty');
    await refuse(ada, { content: 'a\u0000' }, 'Message must not contain null bytes');
  });

  test(
    'Without a valid topic',
    proves('create-scheduled-message.12', 'create-scheduled-message.15'),
    async () => {
      await refuse(ada, { topic: undefined }, 'Missing topic');
      await refuse(ada, { topic: 'a\u0001' }, 'Invalid character in topic, at position 2!');
      const { channelId } = await createChannel(service, [ada], { topics_policy: 'disable_empty_topic' });
      const msg = 'Sending messages to the general chat is not allowed in this channel.';
      for (const topic of ['', '(no topic)', 'general chat'])
        await refuse(ada, { to: channelId, topic }, msg);
    },
  );

  test(
    'To a channel that is missing or hidden from the caller',
    proves('create-scheduled-message.19'),
    async () => {
      const secret = await createChannel(service, [ada], { invite_only: true });
      const guest = await createUser(service, 'Guest', 600);
      for (const [sender, id] of [
        [ada, 99_999],
        [ada, -1],
        [bo, secret.channelId],
        [guest, room.channelId],
      ] as const)
        await refuse(sender, { to: id }, `Channel with ID '${id}' does not exist`, noChannel(id));
    },
  );

  test('To a channel in which the caller may not post', async () => {
    const secret = await createChannel(service, [ada], { invite_only: true });
    const archived = await createChannel(service, [ada]);
    await archiveChannel(service, archived);
    const quiet = await createChannel(service, [service.owner, ada], { can_send_message_group: 3 });
    const notAuthorized = (name: string) => `Not authorized to send to channel '${name}'`;
    await refuse(service.owner, { to: secret.channelId }, notAuthorized(secret.name));
    await refuse(ada, { to: archived.channelId }, notAuthorized(archived.name));
    await refuse(ada, { to: quiet.channelId }, 'You do not have permission to post in this channel.');
  });

  test('To several channels or none', async () => {
    await refuse(ada, { to: [room.channelId, room.channelId] }, 'Expected exactly one channel');
    await refuse(ada, { to: [] }, 'Expected exactly one channel');
  });

  test(
    'To no user, too many, unknown or deactivated users',
    proves('create-scheduled-message.20'),
    async () => {
      const direct = { type: 'direct', topic: undefined };
      await refuse(ada, { ...direct, to: [] }, 'Message must have recipients');
      const crowd = Array.from({ length: 501 }, (_, index) => index + 1);
      await refuse(ada, { ...direct, to: crowd }, 'Too many recipients (maximum 500).');
      await refuse(ada, { ...direct, to: [bo.userId, 99_999] }, 'Invalid user ID 99999');
      const [gone] = await createUsers(service, 'Gone');
      await service.deactivate(gone);
      await refuse(ada, { ...direct, to: [gone.userId] }, `'${gone.email}' is no longer using this service.`);
    },
  );
});
