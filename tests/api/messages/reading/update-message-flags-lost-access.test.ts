import { beforeEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import type { Client, Params, Reply } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { allIdsIn } from '../message-changes.ts';
import { flag } from './flags.ts';

let bo: Client;
const service = await startTestService();
const { owner } = service;
const ada = await service.createUser('Ada');
beforeEach(async () => {
  bo = await service.createUser('Bo');
});

const star = (...messages: number[]): Promise<Reply> => flag(bo, messages, 'add', 'starred');
const starsOf = async (client: Client): Promise<number[]> =>
  (await client.register()).snapshot.starred_messages;
const leave = ({ name }: TestChannel): Promise<Reply> =>
  bo.delete('/users/me/subscriptions', { subscriptions: [name] });
const comeBack = ({ name }: TestChannel): Promise<Reply> =>
  ada.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [bo.userId] });
const edit = ({ channelId }: TestChannel, params: Params): Promise<Reply> =>
  ada.patch(`/streams/${channelId}`, params);

/** The effect of a step on Bo's stars: the events that he receives, and the state after it. */
async function afterStep(act: () => Promise<Reply>) {
  const queue = await bo.listen({ event_types: ['update_message_flags'] });
  await expectConsistentSnapshot(service, [bo, ada], async () => {
    const reply = await act();
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    await service.settle();
  });
  const events = (await queue.drain()).filter(({ flag }) => flag === 'starred');
  const stars = await starsOf(bo);
  return { flagEvents: events.map(({ op, messages }) => [op, messages]), stars };
}

/** A private channel with a starred message, and one beside it that stays readable. */
async function starredScene(params: Params = { invite_only: true }) {
  const channel = await createChannel(service, [ada, bo], params);
  const open = await createChannel(service, [ada, bo]);
  const id = await ada.send(channel.name, 'plans', 'secret plans');
  const kept = await ada.send(open.name, 'plans', 'open plans');
  const direct = await ada.sendDirect([bo.userId], 'for you');
  await star(id, kept, direct);
  return { channel, id, kept: [kept, direct] };
}

describe('Stars of messages that their owner may no longer read', () => {
  test.each([{ history_public_to_subscribers: true }, { history_public_to_subscribers: false }])(
    'Leave when he leaves a private channel, and return with him: %j',
    async (history) => {
      const { channel, id, kept } = await starredScene({ invite_only: true, ...history });
      const left = await afterStep(() => leave(channel));
      expect(left).toEqual({ flagEvents: [['remove', [id]]], stars: kept });
      const back = await afterStep(() => comeBack(channel));
      expect(back).toEqual({ flagEvents: [['add', [id]]], stars: [id, ...kept] });
    },
  );

  test('Stay away if the channel hides its history from people who return after a public one', async () => {
    const { channel, kept } = await starredScene({ invite_only: true, history_public_to_subscribers: true });
    await leave(channel);
    const missed = await ada.send(channel.name, 'plans', 'missed');
    await comeBack(channel);
    await star(missed);
    const hidden = await afterStep(() => edit(channel, { history_public_to_subscribers: false }));
    expect(hidden.flagEvents[0]).toEqual(['remove', [missed]]);
    expect(hidden.stars).not.toContain(missed);
    expect(hidden.stars).toEqual(expect.arrayContaining(kept));
    const shown = await afterStep(() => edit(channel, { history_public_to_subscribers: true }));
    expect(shown.stars).toContain(missed);
  });

  test('Leave when a public channel becomes private without him, and return when it is public again', async () => {
    const channel = await createChannel(service, [ada]);
    const id = await ada.send(channel.name, 'plans', 'open for a while');
    await star(id);
    const hidden = await afterStep(() => edit(channel, { is_private: true }));
    expect(hidden).toEqual({ flagEvents: [['remove', [id]]], stars: [] });
    const shown = await afterStep(() => edit(channel, { is_private: false }));
    expect(shown).toEqual({ flagEvents: [['add', [id]]], stars: [id] });
  });

  test('Stay when he leaves a public channel', async () => {
    const { channel, id, kept } = await starredScene({});
    expect(await afterStep(() => leave(channel))).toEqual({ flagEvents: [], stars: [id, ...kept] });
  });

  test('Leave when he becomes a guest, and return when he is a member again', async () => {
    const { id, kept } = await starredScene();
    const strange = await createChannel(service, [ada]);
    const historical = await ada.send(strange.name, 'news', 'for all members');
    await star(historical);
    const setRole = (role: number) => owner.patch(`/users/${bo.userId}`, { role });
    const guest = await afterStep(() => setRole(roles.guest));
    expect(guest).toEqual({ flagEvents: [['remove', [historical]]], stars: [id, ...kept] });
    const member = await afterStep(() => setRole(roles.member));
    expect(member).toEqual({ flagEvents: [['add', [historical]]], stars: [id, ...kept, historical] });
  });

  test('Leave with messages that are deleted or moved away from him, and do not return', async () => {
    const { channel, id, kept } = await starredScene({});
    const hidden = await createChannel(service, [ada, owner], { invite_only: true });
    const target = { stream_id: hidden.channelId, propagate_mode: 'change_one' };
    const moved = await afterStep(() => owner.patch(`/messages/${id}`, target));
    expect(moved.stars).toEqual(kept);
    const back = { ...target, stream_id: channel.channelId };
    expect((await afterStep(() => owner.patch(`/messages/${id}`, back))).stars).toEqual(kept);
    const gone = await afterStep(() => owner.delete(`/messages/${kept[0]}`));
    expect(gone.stars).toEqual(kept.slice(1));
  });

  test('Leave in one event if an administrator removes the reader from several channels at once', async () => {
    const first = await starredScene();
    const second = await starredScene();
    const subscriptions = [first.channel.name, second.channel.name];
    const params = { subscriptions, principals: [bo.userId] };
    const removed = await afterStep(() => owner.delete('/users/me/subscriptions', params));
    expect(removed.flagEvents.flatMap(([, ids]) => ids).sort()).toEqual([first.id, second.id].sort());
    expect(removed.stars).toEqual([...first.kept, ...second.kept]);
  });

  test('Can be removed, and others there cannot be added', async () => {
    const { channel, id, kept } = await starredScene();
    const plain = await ada.send(channel.name, 'plans', 'received without a star');
    await leave(channel);
    await service.settle();
    const missed = await ada.send(channel.name, 'plans', 'missed');
    const refused = await bo.post('/messages/flags', { messages: [missed], op: 'add', flag: 'starred' });
    expectRefusal(refused, 'Invalid message(s)');
    expect(await afterStep(() => star(plain))).toEqual({ flagEvents: [], stars: kept });
    await flag(bo, [id], 'remove', 'starred');
    await comeBack(channel);
    await service.settle();
    expect(await starsOf(bo)).toEqual(kept);
  });

  test('Appear in no list, search or count, and others’ stars stay', async () => {
    const { channel, id, kept } = await starredScene();
    await flag(ada, [id], 'add', 'starred');
    await leave(channel);
    await service.settle();
    expect(await allIdsIn(bo, [['is', 'starred']])).toEqual(kept);
    expect(await starsOf(ada)).toContain(id);
  });

  test('Cause no event for a client that wants no flags', async () => {
    const { channel } = await starredScene();
    const queue = await bo.listen({ event_types: ['subscription'] });
    await leave(channel);
    await service.settle();
    expect((await queue.drain()).map(({ type }) => type)).not.toContain('update_message_flags');
  });
});

describe('The cost of stars', () => {
  test('Does not grow with their number in a block, and is nothing without stars', async () => {
    const reader = await createUser(service, 'Reader');
    const channel = await createChannel(service, [ada, reader], { invite_only: true });
    const ids: number[] = [];
    for (let n = 0; n < 40; n++) ids.push(await ada.send(channel.name, 'many', `message ${n}`));
    await service.settle();
    const register = () => reader.register({ fetch_event_types: ['starred_messages'] });
    const cost = async (): Promise<number> => (await unitsOf(service, register)).read;
    const without = await cost();
    await flag(reader, ids.slice(0, 1), 'add', 'starred');
    expect((await cost()) - without).toBeLessThanOrEqual(4);
    await flag(reader, ids, 'add', 'starred');
    expect((await cost()) - without).toBeLessThanOrEqual(50);
  });
});
