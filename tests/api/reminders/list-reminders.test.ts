import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { listReminders, remind } from './reminders.ts';

const [MEMBERS, EVERYONE] = [6, 7];

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

test('Each user lists their own reminders by time, and no others', async () => {
  expect(await listReminders(ada)).toEqual([]);
  const messageId = await ada.sendDirect([bo.userId], 'hello');
  const now = Math.floor(Date.now() / 1000);
  const ids: number[] = [];
  for (const hours of [3, 1, 2])
    ids.push(await remind(ada, { message_id: messageId, scheduled_delivery_timestamp: now + hours * 3600 }));
  await remind(bo, { message_id: messageId, scheduled_delivery_timestamp: now + 3600 });
  const [third, first, second] = ids;
  expect((await listReminders(ada)).map((one: Params) => one.reminder_id)).toEqual([first, second, third]);
});

describe('A reminder in the list', () => {
  const soon = () => Math.floor(Date.now() / 1000) + 3600;
  const listed = async (client: Client, id: number) =>
    (await listReminders(client)).find((one: Params) => one.reminder_id === id);

  test('Shows the message as it reads now', async () => {
    const channel = await createChannel(service, [ada, bo]);
    const id = await ada.send(channel.name, 'plans', 'the first text');
    const reminder = await remind(bo, {
      message_id: id,
      scheduled_delivery_timestamp: soon(),
      note: 'look *again*',
    });
    const before = await listed(bo, reminder);
    expect(before.content).toContain('the first text');
    expect((await ada.patch(`/messages/${id}`, { content: 'the **second** text' })).status).toBe(200);
    const after = await listed(bo, reminder);
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
    const { content } = await listed(guest, reminder);
    expect(content).toMatch(/^Unknown user \[said\]/m);
    await service.owner.patch('/realm', { can_access_all_users_group: { new: EVERYONE } });
    expect((await listed(guest, reminder)).content).toContain(`@_**Ada|${ada.userId}** [said]`);
  });

  test.each([
    ['was deleted', (id: number) => service.owner.delete(`/messages/${id}`)],
    [
      'is in a private channel that they left',
      (_id: number, name: string) => bo.delete('/users/me/subscriptions', { subscriptions: [name] }),
    ],
  ])('Keeps its note but not a message that %s', async (_what, lose) => {
    const channel = await createChannel(service, [ada, bo, service.owner], { invite_only: true });
    const id = await ada.send(channel.name, 'plans', 'a secret text');
    const scheduled_delivery_timestamp = soon();
    const reminder = await remind(bo, { message_id: id, scheduled_delivery_timestamp, note: 'my note' });
    expect((await lose(id, channel.name)).status).toBe(200);
    const after = await listed(bo, reminder);
    expect(after.content).toBe(
      'You requested a reminder for a message that you can no longer read. Note:\n > my note',
    );
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
    const textOf = (id: number): string =>
      snapshot.reminders.find((one: Params) => one.reminder_id === id).rendered_content;
    expect(textOf(late)).toBe('');
    expect(snapshot.reminders.filter((one: Params) => one.content !== '')).toHaveLength(50);
  });
});
