// The operations deleteReminder and listReminders.
import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { schedule } from '#tests/api/scheduled-messages/schedules.ts';
import type { Params, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { listReminders, remind, reminderOf, soon } from './reminders.ts';

const [MEMBERS, EVERYONE] = [6, 7];

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

async function create(): Promise<number> {
  const message_id = await ada.sendDirect([bo.userId], 'hello');
  return remind(ada, { message_id, scheduled_delivery_timestamp: soon() });
}
const expectNone = (reply: Reply) => expectRefusal(reply, 'Reminder does not exist', { status: 404 });

describe('Deleting a reminder', () => {
  test('Removes it from the list and notifies its owner only', async () => {
    const id = await create();
    const [adas, bos] = await listenAll([ada, bo]);
    const { status, body } = await ada.delete(`/reminders/${id}`);
    expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
    expect(await listReminders(ada)).toEqual([]);
    expect(await adas.drain()).toEqual([
      { id: expect.any(Number), type: 'reminders', op: 'remove', reminder_id: id },
    ]);
    expect(await bos.drain()).toEqual([]);
  });

  test('Keeps the snapshot exact', async () => {
    const id = await create();
    await expectConsistentSnapshot(service, [ada, bo, service.owner], () => ada.delete(`/reminders/${id}`));
  });

  test('Fails a second time, and for reminders of others and scheduled messages', async () => {
    const id = await create();
    expectNone(await bo.delete(`/reminders/${id}`));
    expect((await ada.delete(`/reminders/${id}`)).status).toBe(200);
    const scheduled = await schedule(ada, { type: 'direct', to: [bo.userId], content: 'x' });
    for (const nobodys of [id, scheduled, 999_999, 0, -1])
      expectNone(await ada.delete(`/reminders/${nobodys}`));
  });
});

test('Each user lists their own reminders by time, and no others', async () => {
  expect(await listReminders(ada)).toEqual([]);
  const messageId = await ada.sendDirect([bo.userId], 'hello');
  const now = Math.floor(Date.now() / 1000);
  const ids: number[] = [];
  for (const hours of [3, 1, 2])
    ids.push(await remind(ada, { message_id: messageId, scheduled_delivery_timestamp: now + hours * 3600 }));
  await remind(bo, { message_id: messageId, scheduled_delivery_timestamp: now + 3600 });
  const [third, first, second] = ids;
  const records = [first, second, third].map((reminder_id) => ({ reminder_id }));
  expect(await listReminders(ada)).toMatchObject(records);
});

describe('A reminder in the list', () => {
  test('Shows the message as it reads now', async () => {
    const channel = await createChannel(service, [ada, bo]);
    const id = await ada.send(channel.name, 'plans', 'the first text');
    const scheduled_delivery_timestamp = soon();
    const note = 'look *again*';
    const reminder = await remind(bo, { message_id: id, scheduled_delivery_timestamp, note });
    const before = await reminderOf(bo, reminder);
    expect(before.content).toContain('the first text');
    expect((await ada.patch(`/messages/${id}`, { content: 'the **second** text' })).status).toBe(200);
    const after = await reminderOf(bo, reminder);
    expect(after.content).toContain('the **second** text');
    expect(after.rendered_content).toContain('the <strong>second</strong> text');
    expect(after.content).toContain('look *again*');
    expect(JSON.stringify(after)).not.toContain('the first text');
    expect(Object.keys(after)).toEqual(Object.keys(before));
    const { snapshot } = await bo.register({ fetch_event_types: ['reminders'] });
    expect(snapshot.reminders).toContainEqual(after);
  });

  test('Names a hidden sender without a mention', async () => {
    const guest = await createUser(service, 'Guest', roles.guest);
    const channel = await createChannel(service, [ada, guest]);
    const id = await ada.send(channel.name, 'plans', 'hello');
    await ada.delete('/users/me/subscriptions', { subscriptions: [channel.name] });
    await service.owner.patch('/realm', { can_access_all_users_group: { new: MEMBERS } });
    const reminder = await remind(guest, { message_id: id, scheduled_delivery_timestamp: soon() });
    const { content } = await reminderOf(guest, reminder);
    expect(content).toMatch(/^Unknown user \[said\]/m);
    await service.owner.patch('/realm', { can_access_all_users_group: { new: EVERYONE } });
    expect((await reminderOf(guest, reminder)).content).toContain(`@_**Ada|${ada.userId}** [said]`);
  });

  const leave = (name: string) => bo.delete('/users/me/subscriptions', { subscriptions: [name] });
  test.each([
    ['was deleted', (id: number) => service.owner.delete(`/messages/${id}`)],
    ['is in a private channel that they left', (_id: number, name: string) => leave(name)],
  ])('Keeps its note but not a message that %s', async (_what, lose) => {
    const channel = await createChannel(service, [ada, bo, service.owner], { invite_only: true });
    const id = await ada.send(channel.name, 'plans', 'a secret text');
    const scheduled_delivery_timestamp = soon();
    const reminder = await remind(bo, { message_id: id, scheduled_delivery_timestamp, note: 'my note' });
    expect((await lose(id, channel.name)).status).toBe(200);
    const after = await reminderOf(bo, reminder);
    const text = 'You requested a reminder for a message that you can no longer read. Note:\n > my note';
    expect(after.content).toBe(text);
    expect(JSON.stringify(after)).not.toContain('secret text');
    const { snapshot } = await bo.register({ fetch_event_types: ['reminders'] });
    expect(snapshot.reminders).toContainEqual(after);
  });

  test('Comes without its text in a snapshot if 50 others are due before it', async () => {
    const channel = await createChannel(service, [ada]);
    const messageId = await ada.send(channel.name, 'plans', 'a text');
    const early = { message_id: messageId, scheduled_delivery_timestamp: soon() };
    for (let count = 0; count < 50; count++) await remind(ada, early);
    const late = await remind(ada, { ...early, scheduled_delivery_timestamp: soon() + 86_400 });
    const { snapshot } = await ada.register({ fetch_event_types: ['reminders'] });
    const record = { reminder_id: late, rendered_content: '' };
    expect(snapshot.reminders).toContainEqual(expect.objectContaining(record));
    expect(snapshot.reminders.filter(({ content }: Params) => content !== '')).toHaveLength(50);
  });
});
