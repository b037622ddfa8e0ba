import { expect, test } from 'vitest';
import { join, newName } from '#tests/api/channels/channel-calls.ts';
import { sendForm } from '#tests/harness/anonymous.ts';
import type { Client } from '#tests/harness/client.ts';
import { mailsTo } from '#tests/harness/mails.ts';
import { createUsers, drainMessages } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const setLanguage = (client: Client, default_language: string) =>
  client.patch('/settings', { default_language });

async function withOrganizationIn(default_language: string, run: () => Promise<void>): Promise<void> {
  await service.owner.patch('/realm', { default_language });
  await run();
  await service.owner.patch('/realm', { default_language: 'en' });
}

test('A bot writes to a person in the language of that person', async () => {
  const noticeIn = async (language: string): Promise<unknown> => {
    await setLanguage(bo, language);
    const name = newName();
    await join(ada, [name]);
    await service.settle();
    const queue = await bo.listen({ event_types: ['message'] });
    await join(ada, [name], { principals: [bo.userId] });
    await service.settle();
    const [message] = await drainMessages(queue);
    return message?.content.replace(name, 'x');
  };
  expect(await noticeIn('de')).toBe(`@**Ada|${ada.userId}** hat dich in den Kanal #**x** aufgenommen.`);
  expect(await noticeIn('fr')).toBe(`@**Ada|${ada.userId}** subscribed you to the channel #**x**.`);
  await setLanguage(bo, 'en');
});

test('A bot writes to a channel in the language of the organization, and deletes its message in it', () =>
  withOrganizationIn('de', async () => {
    const name = newName();
    await join(ada, [name]);
    const messageId = await ada.send(name, 'logo', 'hello');
    await service.settle();
    const queue = await ada.listen({ event_types: ['message', 'delete_message'] });
    await ada.patch(`/messages/${messageId}`, { topic: '✔ logo', propagate_mode: 'change_all' });
    await service.settle();
    const [note] = await drainMessages(queue);
    expect(note?.content).toBe(`@_**Ada|${ada.userId}** hat dieses Thema als erledigt markiert.`);
    await ada.patch(`/messages/${messageId}`, { topic: 'logo', propagate_mode: 'change_all' });
    await service.settle();
    expect((await ada.get(`/messages/${note?.id}`)).status).toBe(400);
  }));

test('A mail to a stranger is in the language of the organization, and one to an account in that of the account', () =>
  withOrganizationIn('de', async () => {
    const stranger = 'stranger@example.com';
    await service.owner.post('/invites', { invitee_emails: stranger, stream_ids: [] });
    await service.settle();
    const [invitation] = mailsTo(service, stranger);
    expect(invitation?.subject).toMatch(/ hat dich zu .* eingeladen$/);
    expect(invitation?.content).toContain('öffne diesen Link');
    const subjects = async (language: string): Promise<string | undefined> => {
      await setLanguage(ada, language);
      await sendForm(service.url, '/password_reset', { email: ada.email });
      await service.settle();
      return mailsTo(service, ada.email).at(-1)?.subject;
    };
    expect(await subjects('de')).toMatch(/^Setze dein Passwort .* zurück$/);
    expect(await subjects('en')).toMatch(/^Reset your .* password$/);
  }));
