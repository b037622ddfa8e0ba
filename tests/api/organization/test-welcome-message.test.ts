import { describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectMissing, expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers, drainMessages, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

const PATH = '/realm/test_welcome_bot_custom_message';
const service = await startTestService();
const admin = await createUser(service, 'Admin', roles.administrator);
const [ada] = await createUsers(service, 'Ada');

const tryOut = (client: Client, welcome_message_custom_text: string) =>
  client.post(PATH, { welcome_message_custom_text });

describe('The greeting of the welcome bot', () => {
  test('Goes to the administrator who tests it, and to no other user', async () => {
    const [mine, others] = await listenAll([admin, ada]);
    const text = 'Read **the rules** first.';
    let id = 0;
    await expectConsistentSnapshot(service, [admin, ada], async () => {
      const { status, body } = await tryOut(admin, text);
      expect([status, body]).toEqual([200, { result: 'success', msg: '', message_id: expect.any(Number) }]);
      id = body.message_id;
    });
    const [message] = await drainMessages(mine);
    expect(message).toMatchObject({ id, type: 'private', sender_full_name: 'Welcome Bot', content: text });
    expect(message.display_recipient.map(({ id: userId }: { id: number }) => userId)).toContain(admin.userId);
    expect(await others.drain()).toEqual([]);
    expect((await admin.get(`/messages/${id}`)).body.message.content).toContain('<strong>the rules</strong>');
    expect((await ada.get(`/messages/${id}`)).body.result).toBe('error');
  });

  test('Mentions no user', async () => {
    const queue = await ada.listen();
    expect((await tryOut(admin, `@**all** @**Ada|${ada.userId}**`)).status).toBe(200);
    expect(await queue.drain()).toEqual([]);
  });

  test('Changes no settings', async () => {
    await tryOut(admin, 'Only a try');
    const { snapshot } = await admin.register({ fetch_event_types: ['realm'] });
    expect(snapshot.realm_welcome_message_custom_text).toBe('');
  });

  test('Must not be empty, too long or missing', async () => {
    expectMissing(await admin.post(PATH), 'welcome_message_custom_text');
    for (const text of ['', ' \n']) expectRefusal(await tryOut(admin, text), 'Message must not be empty');
    expect((await tryOut(admin, 'x'.repeat(8000))).status).toBe(200);
    const tooLong = await tryOut(admin, 'x'.repeat(8001));
    expectRefusal(tooLong, 'welcome_message_custom_text is too long (limit: 8000 characters)');
    expectRefusal(await tryOut(admin, 'a\0b'), 'Message must not contain null bytes');
  });
});
