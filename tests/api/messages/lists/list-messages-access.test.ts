import { describe, expect, test } from 'vitest';
import { startTestService } from '#tests/harness/service.ts';
import { idsIn, idsOf, inTopic, list, newChannel, newest, privateChannel, send } from './message-lists.ts';

const service = await startTestService();
const ada = service.owner;
const bo = await service.createUser('Bo');
const cy = await service.createUser('Cy');

describe('The messages that a search finds', () => {
  test('Include only received ones, unless a channel or all public channels are named', async () => {
    const { name } = await newChannel(ada, bo);
    const id = await send(ada, name, 'history');
    expect(await idsIn(cy, [])).not.toContain(id);
    expect(await idsIn(cy, [['topic', 'history']])).toEqual([]);
    expect(await idsIn(cy, [['id', String(id)]])).toEqual([]);
    const { messages } = await list(cy, { ...newest, narrow: inTopic(name, 'history') });
    expect(messages).toMatchObject([{ id, flags: ['read', 'historical'] }]);
    expect(await idsIn(cy, [['streams', 'public']])).toContain(id);
    expect(
      await idsIn(cy, [
        ['stream', name],
        ['is', 'unread'],
      ]),
    ).toEqual([]);
  });

  test('Count as unread in a rejoined channel only since then, and as received only while subscribed', async () => {
    const { name } = await newChannel(ada, bo);
    const reader = await service.createUser('Restless');
    await send(ada, name, 'a', 'before');
    await reader.subscribe(name);
    const during = await send(ada, name, 'a', 'during');
    await reader.delete('/users/me/subscriptions', { subscriptions: [name] });
    await service.settle();
    await send(ada, name, 'a', 'between');
    await reader.subscribe(name);
    const after = await send(ada, name, 'a', 'after');
    const { messages } = await list(reader, { ...newest, narrow: inTopic(name, 'a') });
    expect(messages.map(({ flags }: { flags: string[] }) => flags)).toEqual([
      ['read', 'historical'],
      ['read'],
      ['read', 'historical'],
      [],
    ]);
    expect(await idsIn(reader, [])).toEqual([during, after]);
  });

  test('Include a private channel only for its subscribers, and others get an unknown channel', async () => {
    const { name, channelId } = await privateChannel(bo);
    const id = await send(bo, name, 'secret');
    expect(await idsIn(bo, [['channel', name]])).toEqual([id]);
    for (const operand of [name, channelId]) {
      const narrow = [{ operator: 'channel', operand }];
      const { body } = await cy.get('/messages', { ...newest, narrow });
      expect(body.msg).toBe(`Invalid narrow operator: unknown channel ${operand}`);
    }
    for (const narrow of [[], [['topic', 'secret']], [['channels', 'public']], [['id', String(id)]]])
      expect(await idsIn(cy, narrow)).not.toContain(id);
    expect(await idsIn(ada, [['channel', name]])).toEqual([]);
    expect(idsOf(await list(ada, { message_ids: [id] }))).toEqual([]);
  });

  test('Start with the subscription in a private channel with protected history', async () => {
    const { name } = await privateChannel(bo, { history_public_to_subscribers: false });
    const old = await send(bo, name, 'a');
    await bo.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [cy.userId] });
    const fresh = await send(bo, name, 'a');
    expect(await idsIn(cy, [['channel', name]])).toEqual([fresh]);
    expect(await idsIn(bo, [['channel', name]])).toEqual([old, fresh]);
  });

  test('Exclude a private channel for people who left', async () => {
    const { name } = await privateChannel(bo, { history_public_to_subscribers: true });
    await bo.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [cy.userId] });
    const id = await send(bo, name, 'a');
    expect(await idsIn(cy, [])).toContain(id);
    await cy.delete('/users/me/subscriptions', { subscriptions: [name] });
    expect(await idsIn(cy, [])).not.toContain(id);
  });

  test('Include direct messages of the participants only', async () => {
    const id = await send(ada, [bo.userId], undefined, 'between us');
    for (const narrow of [[], [['is', 'dm']], [['id', String(id)]], [['sender', ada.email]]])
      expect(await idsIn(cy, narrow)).not.toContain(id);
    expect(idsOf(await list(cy, { message_ids: [id] }))).toEqual([]);
  });

  test('Include a message as soon as it was sent', async () => {
    const { name, channelId } = await newChannel(ada, bo);
    await service.settle();
    for (let n = 0; n < 20; n++) {
      const id = await send(bo, name, 'at once');
      const last = { anchor: 'newest', num_before: 1, num_after: 0 };
      expect(await idsIn(bo, inTopic(name, 'at once'), last)).toEqual([id]);
      expect(await idsIn(ada, [{ operator: 'channel', operand: channelId }], last)).toEqual([id]);
      expect(await idsIn(ada, [], last)).toEqual([id]);
    }
  });
});
