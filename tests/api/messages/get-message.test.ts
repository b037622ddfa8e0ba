import { describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { withCalls } from '#tests/harness/log.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectAdded, vote } from './widgets.ts';

const service = await startTestService();
const ada = service.owner;
const [bo, cy] = await createUsers(service, 'Bo', 'Cy');
await ada.subscribe('design');
await bo.subscribe('design');

const send = (content: string, topic = 'logo') => ada.send('design', topic, content);
const expectUnreadable = async (reader: Client, messageId: number): Promise<void> =>
  expectRefusal(await reader.get(`/messages/${messageId}`), 'Invalid message(s)');

describe('Reading one message', () => {
  test('Returns it rendered, with its source and the flags of the caller', async () => {
    const id = await send('**hi**');
    const { body } = await bo.get(`/messages/${id}`);
    expect(body.raw_content).toBe('**hi**');
    expect(body.message).toMatchObject({
      id,
      type: 'stream',
      subject: 'logo',
      sender_id: ada.userId,
      content: '<p><strong>hi</strong></p>',
      content_type: 'text/html',
      avatar_url: `/user_avatars/j${ada.userId}.png`,
      flags: [],
    });
  });

  test('Returns the source without apply_markdown', async () => {
    const id = await send('**hi**');
    const { body } = await bo.get(`/messages/${id}`, { apply_markdown: false });
    expect(body.message).toMatchObject({ content: '**hi**', content_type: 'text/x-markdown' });
    expect(body.raw_content).toBe('**hi**');
  });

  test('Shows the empty topic by its display name unless the client supports empty topics', async () => {
    const id = await send('x', '');
    expect((await bo.get(`/messages/${id}`)).body.message.subject).toBe('general chat');
    const { body } = await bo.get(`/messages/${id}`, { allow_empty_topic_name: true });
    expect(body.message.subject).toBe('');
  });

  test('Returns the latest reactions and votes, even if eventually consistent reads miss them', async () => {
    const id = await send('/poll Lunch?\nSoup');
    await bo.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    const content = vote('canned,0');
    await expectAdded(bo, id, content);
    const { services } = service;
    const { table } = services;
    services.table = withCalls(services, () => ({
      list: async (query) => (query.consistent ? table.list(query) : []),
    })).table;
    const { message } = (await bo.get(`/messages/${id}`)).body;
    services.table = table;
    expect(message.reactions).toMatchObject([{ emoji_name: 'tada', user_id: bo.userId }]);
    expect(message.submessages.at(-1)).toMatchObject({ sender_id: bo.userId, content });
  });

  test('Flags it as historical if the caller never received it', async () => {
    const id = await send('x');
    expect((await cy.get(`/messages/${id}`)).body.message.flags).toEqual(['read', 'historical']);
  });

  test('Works for the participants of a direct message', async () => {
    const id = await ada.sendDirect([bo.userId], 'x');
    const { body } = await bo.get(`/messages/${id}`);
    expect(body.message).toMatchObject({ id, type: 'private', subject: '' });
    await expectUnreadable(cy, id);
  });

  test('Works for subscribers of a private channel, not even for administrators outside', async () => {
    await bo.subscribe('secret', { invite_only: true });
    const id = await bo.send('secret', 'logo', 'x');
    expect((await bo.get(`/messages/${id}`)).status).toBe(200);
    await expectUnreadable(cy, id);
    await expectUnreadable(ada, id);
    await bo.subscribe('secret', { principals: [cy.userId] });
    await expectUnreadable(cy, id);
    const later = await bo.send('secret', 'logo', 'x');
    expect((await cy.get(`/messages/${later}`)).status).toBe(200);
    await cy.delete('/users/me/subscriptions', { subscriptions: ['secret'] });
    await expectUnreadable(cy, later);
  });

  test('Fails for the position of an event', async () => {
    const before = await send('x');
    await cy.subscribe('elsewhere');
    await expectUnreadable(cy, before + 1);
  });
});
