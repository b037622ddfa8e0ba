import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { draftKeys } from '#shared/table/keys/drafts.ts';
import { AHEAD, deliveriesOf, expectNotScheduled } from '#tests/api/scheduled-messages/schedules.ts';
import type { Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUsers, drainMessages, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { listReminders, remind, reminderOf } from './reminders.ts';

const LOST = 'You requested a reminder for a message that you can no longer read.';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const room = await createChannel(service, [ada, bo]);

const ahead = () => Math.floor(service.services.clock.nowMs() / 1000) + AHEAD;
const post = (content = 'hello') => bo.send(room.channelId, 'Logo', content);
const wanted = (messageId: number, params: Params = {}): Params => ({
  message_id: messageId,
  scheduled_delivery_timestamp: ahead(),
  ...params,
});
const { deliver } = deliveriesOf(service);

describe('Creating a reminder', () => {
  test('Notifies the requester only, with the whole record', async () => {
    const messageId = await post();
    const [adas, bos] = await listenAll([ada, bo]);
    const params = wanted(messageId, { note: ' look at\nthis ' });
    const { status, body } = await ada.post('/reminders', params);
    const { reminder_id } = body;
    expect([status, reminder_id]).toEqual([200, expect.any(Number)]);
    expect(body).toEqual({ result: 'success', msg: '', reminder_id });
    const link = `${ada.url}/#narrow/channel/${room.channelId}-${room.name.replace(' ', '-')}/topic/Logo/near/${messageId}`;
    const record = {
      reminder_id,
      type: 'private',
      to: [ada.userId],
      content: [
        `You requested a reminder for #**${room.name}>Logo@${messageId}**. Note:`,
        ' > look at',
        ' > this',
        '',
        `@_**Bo|${bo.userId}** [said](${link}):`,
        '```quote',
        'hello',
        '```',
      ].join('\n'),
      rendered_content: expect.stringContaining('<p>'),
      scheduled_delivery_timestamp: params.scheduled_delivery_timestamp,
      failed: false,
      reminder_target_message_id: messageId,
    };
    expect(await adas.drain()).toEqual([
      { id: expect.any(Number), type: 'reminders', op: 'add', reminders: [record] },
    ]);
    expect(await bos.drain()).toEqual([]);
    expect(await listReminders(ada)).toContainEqual(record);
    const { snapshot } = await ada.register({ fetch_event_types: ['reminders'] });
    expect(snapshot.reminders).toContainEqual(record);
  });

  test('Works for a direct message, and without a note', async () => {
    const messageId = await bo.sendDirect([ada.userId], '```\ncode\n```');
    const id = await remind(ada, wanted(messageId));
    const { content } = await reminderOf(ada, id);
    expect(content).toMatch(/^You requested a reminder for the following direct message\.\n\n@_\*\*Bo/);
    expect(content).toContain(`\n${'`'.repeat(4)}quote\n\`\`\`\ncode\n\`\`\`\n${'`'.repeat(4)}`);
  });

  test('Quotes as much of a long message as fits', async () => {
    const id = await remind(ada, wanted(await post('y'.repeat(10_000)), { note: '🦊'.repeat(1000) }));
    const { content } = await reminderOf(ada, id);
    expect([...content].length).toBeLessThanOrEqual(10_000);
    expect(content).toMatch(/y\n\[message truncated\]\n```$/);
  });

  test('Creates no scheduled message: it is neither listed, nor edited, nor deleted as one', async () => {
    const id = await remind(ada, wanted(await post()));
    const { body } = await ada.get('/scheduled_messages');
    expect(body.scheduled_messages).toEqual([]);
    expectNotScheduled(await ada.delete(`/scheduled_messages/${id}`));
    expectNotScheduled(await ada.patch(`/scheduled_messages/${id}`, { content: 'x' }));
  });

  test('Costs as much as a scheduled message plus the lookup of its message', async () => {
    const params = wanted(await post());
    expect(await unitsOf(service, () => remind(ada, params))).toEqual({ read: 13, write: 9 });
  });

  test('Keeps the snapshot exact', async () => {
    const messageId = await post();
    await expectConsistentSnapshot(service, [service.owner, ada, bo], async () => {
      await remind(ada, wanted(messageId, { scheduled_delivery_timestamp: ahead() + 50 }));
      await remind(ada, wanted(messageId));
      await remind(bo, wanted(messageId, { note: 'mine' }));
    });
  });
});

describe('A reminder that is due', () => {
  test('Comes from the notification bot, once, to the requester, and leaves the list', async () => {
    const [cy, di] = await createUsers(service, 'Cy', 'Di');
    const messageId = await cy.sendDirect([di.userId], 'hello');
    const id = await remind(cy, wanted(messageId, { note: 'now' }));
    const [{ content }] = await listReminders(cy);
    const [cys, others] = await listenAll([cy, di]);
    service.advance(AHEAD * 1000);
    await Promise.all([deliver(cy, id), deliver(cy, id), sweep(service.services), deliver(cy, id)]);
    const events = await cys.drain();
    expect(events).toMatchObject([
      { type: 'reminders', op: 'remove', reminder_id: id },
      { type: 'message', message: { sender_full_name: 'Notification Bot', content }, flags: [] },
    ]);
    expect(events[1]?.message.display_recipient).toContainEqual(expect.objectContaining({ id: cy.userId }));
    expect(await drainMessages(others)).toEqual([]);
    expect(await listReminders(cy)).toEqual([]);
  });

  test('Waits, marked as failed, for a user who is deactivated', async () => {
    const [gone] = await createUsers(service, 'Gone');
    const id = await remind(gone, wanted(await gone.sendDirect([bo.userId], 'hello')));
    await service.deactivate(gone);
    service.advance(AHEAD * 1000);
    await deliver(gone, id);
    await service.owner.post(`/users/${gone.userId}/reactivate`);
    await service.settle();
    const back = await service.clientOf(gone.email);
    expect(await listReminders(back)).toMatchObject([{ reminder_id: id, failed: true }]);
    expect((await back.delete(`/reminders/${id}`)).status).toBe(200);
  });
});

describe('A reminder shows only a text that its owner may read when it is due', () => {
  const remindedOf = async (messageId: number, change: () => Promise<unknown>): Promise<string> => {
    const id = await remind(ada, wanted(messageId, { note: 'first line\nsecond' }));
    await change();
    await service.settle();
    service.advance(AHEAD * 1000);
    await deliver(ada, id);
    const last = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [['is', 'dm']] };
    const { body } = await ada.get('/messages', { ...last, apply_markdown: false });
    return body.messages[0].content;
  };
  const NOTE = ' Note:\n > first line\n > second';

  test('If the message was deleted', async () => {
    const id = await post('a password');
    const text = await remindedOf(id, () => service.owner.delete(`/messages/${id}`));
    expect(text).toBe(LOST + NOTE);
  });

  test('If the message was edited', async () => {
    const id = await post('a password');
    const text = await remindedOf(id, () => bo.patch(`/messages/${id}`, { content: 'nothing' }));
    expect(text).toContain(NOTE);
    expect(text).toContain('nothing');
    expect(text).not.toContain('a password');
  });

  test('If the message was moved to a channel of others', async () => {
    const id = await post('a password');
    const others = await createChannel(service, [service.owner], { invite_only: true });
    const move = () => service.owner.patch(`/messages/${id}`, { stream_id: others.channelId });
    const text = await remindedOf(id, move);
    expect(text).toBe(LOST + NOTE);
  });

  test('If they have left a private channel', async () => {
    const access = { invite_only: true, history_public_to_subscribers: true };
    const { channelId, name } = await createChannel(service, [bo, ada], access);
    const id = await bo.send(channelId, 'x', 'a password');
    const leave = () => ada.delete('/users/me/subscriptions', { subscriptions: [name] });
    const text = await remindedOf(id, leave);
    expect(text).toBe(LOST + NOTE);
  });

  test('Also if an earlier version stored it with the note inside the text', async () => {
    const id = await post('a password');
    const text = await remindedOf(id, async () => {
      const [reminder] = await listReminders(ada);
      const key = draftKeys.scheduledMessage(ada.userId, reminder.reminder_id);
      await service.services.table.write({ kind: 'update', key, remove: ['note'] });
      await service.owner.delete(`/messages/${id}`);
    });
    expect(text).toBe(LOST + NOTE);
  });
});

describe('A reminder is refused', () => {
  test('For a message that does not exist or that the caller cannot read', async () => {
    const secret = await createChannel(service, [bo], { invite_only: true });
    const hidden = await bo.send(secret.channelId, 'x', 'x');
    const before = await listReminders(ada);
    for (const id of [hidden, 999_999, 0, -1, 2_147_483_648])
      expectRefusal(await ada.post('/reminders', wanted(id)), 'Invalid message(s)');
    expect(await listReminders(ada)).toEqual(before);
  });

  test.each([
    [{ scheduled_delivery_timestamp: 5 }, 'Scheduled delivery time must be in the future.'],
    [{ scheduled_delivery_timestamp: -5 }, 'Scheduled delivery time must be in the future.'],
    [{ note: 'x'.repeat(1001) }, 'note is too long (limit: 1000 characters)'],
    [{ note: 'a\u0000' }, 'Message must not contain null bytes'],
  ])('With %j', async (params, msg) => {
    const messageId = await post();
    const before = await listReminders(ada);
    expectRefusal(await ada.post('/reminders', wanted(messageId, params)), msg);
    expect(await listReminders(ada)).toEqual(before);
  });
});
