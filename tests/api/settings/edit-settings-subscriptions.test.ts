import { describe, expect, test } from 'vitest';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();

const NULLS = { client_capabilities: { notification_settings_null: true } };
const chosen = {
  enable_stream_desktop_notifications: true,
  enable_stream_audible_notifications: true,
  enable_stream_push_notifications: false,
  enable_stream_email_notifications: true,
  wildcard_mentions_notify: false,
};
const inherited = {
  desktop_notifications: true,
  audible_notifications: true,
  push_notifications: false,
  email_notifications: true,
  wildcard_mentions_notify: false,
};
const nothing = Object.fromEntries(Object.keys(inherited).map((name) => [name, null]));

describe('Inherited settings of a subscription', () => {
  test('Appear with their values in register to clients that do not support inheriting', async () => {
    const ada = await createUser(service, 'Ada');
    await ada.subscribe('first');
    const before = (await ada.register()).snapshot.subscriptions[0];
    expect(before).toMatchObject({ desktop_notifications: false, wildcard_mentions_notify: true });
    await ada.patch('/settings', chosen);
    expect((await ada.register()).snapshot.subscriptions[0]).toMatchObject(inherited);
    expect((await ada.register(NULLS)).snapshot.subscriptions[0]).toMatchObject(nothing);
  });

  test('Appear with their values in events', async () => {
    const ada = await createUser(service, 'Ada');
    const [old, capable] = [await ada.listen(), await ada.listen(NULLS)];
    await ada.patch('/settings', chosen);
    await ada.subscribe('second');
    const record = async (queue: typeof old) =>
      (await queue.drain()).find(({ type, op }) => type === 'subscription' && op === 'add')?.subscriptions[0];
    expect(await record(old)).toMatchObject(inherited);
    expect(await record(capable)).toMatchObject(nothing);
  });

  test('Follow the owner, and no other user', async () => {
    const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
    await ada.patch('/settings', chosen);
    const queue = await bo.listen();
    await ada.subscribe('third', { principals: [ada.userId, bo.userId] });
    const events = await queue.drain();
    const initial = { desktop_notifications: false, wildcard_mentions_notify: true };
    expect(events.find(({ op }) => op === 'add')?.subscriptions[0]).toMatchObject(initial);
  });
});
