import { describe, expect, test } from 'vitest';
import type { Client } from '#tests/harness/client.ts';
import { withCalls } from '#tests/harness/log.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectAdded, vote } from './widgets.ts';

const service = await startTestService();
const ada = service.owner;
const bo = await service.createUser('Bo');
const cy = await service.createUser('Cy');
await ada.subscribe('design');
await bo.subscribe('design');

async function send(sender: Client, params: Record<string, unknown>): Promise<number> {
  const { body } = await sender.post('/messages', {
    type: 'channel',
    to: 'design',
    topic: 'logo',
    ...params,
  });
  expect(body).toMatchObject({ result: 'success' });
  return body.id;
}

async function expectUnreadable(reader: Client, messageId: number | string): Promise<void> {
  const { status, body } = await reader.get(`/messages/${messageId}`);
  expect(status).toBe(400);
  expect(body).toEqual({ result: 'error', msg: 'Invalid message(s)', code: 'BAD_REQUEST' });
}

describe('Reading one message', () => {
  test('Returns it rendered, with its source and the flags of the caller', async () => {
    const id = await send(ada, { content: '**hi**' });
    const { status, body } = await bo.get(`/messages/${id}`);
    expect(status).toBe(200);
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
    const id = await send(ada, { content: '**hi**' });
    const { body } = await bo.get(`/messages/${id}`, { apply_markdown: false });
    expect(body.message).toMatchObject({ content: '**hi**', content_type: 'text/x-markdown' });
    expect(body.raw_content).toBe('**hi**');
  });

  test('Shows the empty topic by its display name unless the client supports empty topics', async () => {
    const id = await send(ada, { topic: '', content: 'x' });
    expect((await bo.get(`/messages/${id}`)).body.message.subject).toBe('general chat');
    const { body } = await bo.get(`/messages/${id}`, { allow_empty_topic_name: true });
    expect(body.message.subject).toBe('');
  });

  test('Returns the latest reactions and votes, even if eventually consistent reads miss them', async () => {
    const id = await send(ada, { content: '/poll Lunch?\nSoup' });
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
    const id = await send(ada, { content: 'x' });
    expect((await cy.get(`/messages/${id}`)).body.message.flags).toEqual(['read', 'historical']);
  });

  test('Works for the participants of a direct message', async () => {
    const id = await send(ada, { type: 'direct', to: [bo.userId], topic: undefined, content: 'x' });
    expect((await bo.get(`/messages/${id}`)).body.message).toMatchObject({
      id,
      type: 'private',
      subject: '',
    });
    await expectUnreadable(cy, id);
  });

  test('Works for subscribers of a private channel, not even for administrators outside', async () => {
    const subscriptions = [{ name: 'secret' }];
    await bo.post('/users/me/subscriptions', { subscriptions, invite_only: true });
    const id = await send(bo, { to: 'secret', content: 'x' });
    expect((await bo.get(`/messages/${id}`)).status).toBe(200);
    await expectUnreadable(cy, id);
    await expectUnreadable(ada, id);
    await bo.post('/users/me/subscriptions', { subscriptions, principals: [cy.userId] });
    await expectUnreadable(cy, id);
    const later = await send(bo, { to: 'secret', content: 'x' });
    expect((await cy.get(`/messages/${later}`)).status).toBe(200);
    await cy.delete('/users/me/subscriptions', { subscriptions: ['secret'] });
    await expectUnreadable(cy, later);
  });

  test('Fails for the position of an event', async () => {
    const before = await send(ada, { content: 'x' });
    await cy.subscribe('elsewhere');
    await expectUnreadable(cy, before + 1);
  });
});
