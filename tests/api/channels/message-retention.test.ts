import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import { expireMessages } from '#shared/actions/messages/retention.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params, ReceivedEvent } from '#tests/harness/client.ts';
import { interrupt, writes } from '#tests/harness/interruption.ts';
import { sendAgain } from '#tests/harness/log.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { edit, join, openChannel } from './channel-calls.ts';
import { messagesIn, recordOf } from './channel-records.ts';

const DAY_MS = 24 * 3600 * 1000;
const HOUR_MS = 3600 * 1000;
/** Queues that live through the days of a test. */
const WANTED = { event_types: ['delete_message'], idle_queue_timeout: 7 * 24 * 3600 };

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

const { owner } = service;
const open = (params: Params = {}) => openChannel(service, [owner, ada, bo], params);
/** Goes beyond the pause that follows a run with nothing left to do. */
const run = async (): Promise<void> => {
  service.advance(HOUR_MS + 1000);
  await sweep(service.services);
};
const keepAllFor = (message_retention_days: number): Promise<void> => {
  const set = { settings: { message_retention_days } };
  return service.services.table.write({ kind: 'update', key: organizationKeys.organization(), set });
};
const exists = async (id: number): Promise<boolean> => (await ada.get(`/messages/${id}`)).status === 200;
const topicsOf = async (client: Client, channelId: number): Promise<string[]> =>
  (await client.get(`/users/me/${channelId}/topics`)).body.topics.map(({ name }: { name: string }) => name);

describe('Expired messages', () => {
  test('Disappear from lists, topics, the log and unread counts; newer ones stay', async () => {
    const { name, channelId } = await open({ message_retention_days: 10 });
    const kept = await open();
    const old = [await ada.send(name, 'gone', 'secret plans'), await ada.send(name, 'lives', 'older')];
    for (const id of old) await bo.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    const elsewhere = await ada.send(kept.name, 'x', 'for ever');
    await run();
    service.advance(9 * DAY_MS);
    await run();
    expect(await messagesIn(bo, channelId)).toEqual(expect.arrayContaining(old));
    const young = await ada.send(name, 'lives', 'newer');
    service.advance(2 * DAY_MS);
    await expectConsistentSnapshot(service, [owner, ada, bo, guest], () => sweep(service.services));
    expect(await messagesIn(bo, channelId)).toEqual([young]);
    expect(await messagesIn(bo, kept.channelId)).toContain(elsewhere);
    expect(await topicsOf(bo, channelId)).toEqual(['lives']);
    expect((await recordOf(bo, channelId)).first_message_id).toBe(young);
    for (const id of old) expectRefusal(await bo.get(`/messages/${id}`), 'Invalid message(s)');
    const { table } = service.services;
    for (const id of old) {
      const item = await table.find(logKeys.entry(id));
      expect(item).toMatchObject({ expiresAtSeconds: expect.any(Number) });
      expect(JSON.stringify(item)).not.toContain('secret');
    }
    const { unread_msgs, starred_messages } = (await bo.register()).snapshot;
    expect(starred_messages).toEqual([]);
    expect(JSON.stringify(unread_msgs.streams)).not.toContain(String(old[0]));
  });

  const forms = proves('event-queues.9', 'register-queue.22');
  test('Send deletions to their readers: at once, or one by one to old clients', forms, async () => {
    const { name, channelId } = await open({ message_retention_days: 5, invite_only: true });
    const outsider = await createUser(service, 'Outsider');
    await run();
    const capabilities = { bulk_message_deletion: true, empty_topic_name: true };
    const modern = { ...WANTED, client_capabilities: capabilities };
    const bulk = await bo.listen(modern);
    const single = await bo.listen(WANTED);
    const none = await outsider.listen(modern);
    const first = await ada.send(name, '', 'to the guest this never was');
    await join(owner, [name], { principals: [guest.userId], send_new_subscription_messages: false });
    const late = await guest.listen(modern);
    const others = [await ada.send(name, 'b', 'four'), await ada.send(name, 'b', 'five')];
    await run();
    service.advance(6 * DAY_MS);
    await run();
    const deletion = { type: 'delete_message', message_type: 'stream', stream_id: channelId };
    const ours = (events: ReceivedEvent[]) => events.filter(({ stream_id }) => stream_id === channelId);
    const rest = { ...deletion, topic: 'b', message_ids: others };
    const whole = [{ ...deletion, topic: '', message_ids: [first] }, rest];
    expect(ours(await bulk.drain()).slice(-2)).toMatchObject(whole);
    expect(ours(await single.drain()).slice(-3)).toMatchObject([
      { ...deletion, topic: 'general chat', message_id: first },
      ...others.map((message_id) => ({ ...deletion, topic: 'b', message_id })),
    ]);
    expect(ours(await late.drain())).toMatchObject([rest]);
    expect(await none.drain()).toEqual([]);
    expect((await recordOf(bo, channelId)).first_message_id).toBeNull();
  });
});

test('The organization’s retention applies to direct messages and to channels without their own', async () => {
  const [inherits, forever] = [await open(), await open({ message_retention_days: 'unlimited' })];
  const gone = await ada.send(inherits.name, 'x', 'goes');
  const stays = await ada.send(forever.name, 'x', 'stays');
  const direct = await ada.sendDirect([bo.userId], 'goes');
  const group = await ada.sendDirect([bo.userId, guest.userId], 'goes as well');
  await keepAllFor(3);
  await run();
  service.advance(4 * DAY_MS);
  const channelNews = await ada.send(inherits.name, 'y', 'new');
  const newer = await ada.sendDirect([guest.userId], 'new');
  await owner.sendDirect([bo.userId], 'new');
  await expectConsistentSnapshot(service, [ada, bo, guest], () => sweep(service.services));
  for (const id of [gone, direct, group]) expect(await exists(id)).toBe(false);
  for (const id of [stays, channelNews, newer]) expect(await exists(id)).toBe(true);
  const { recent_private_conversations } = (await ada.register()).snapshot;
  expect(recent_private_conversations).toEqual([{ max_message_id: newer, user_ids: [guest.userId] }]);
});

describe('A retention run', () => {
  test('Continues after an interruption, and two at once delete and announce each message once', async () => {
    const { name, channelId } = await open({ message_retention_days: 2 });
    await run();
    const queue = await bo.listen({ ...WANTED, client_capabilities: { bulk_message_deletion: true } });
    const sent: number[] = [];
    for (let n = 0; n < 85; n++) sent.push(await ada.send(name, `topic ${n % 3}`, `number ${n}`));
    await run();
    service.advance(3 * DAY_MS);
    await Promise.all([sweep(service.services), sweep(service.services)]);
    await run();
    const events = (await queue.drain()).filter(({ stream_id }) => stream_id === channelId);
    const received = events.flatMap(({ message_ids }) => message_ids);
    expect(received.filter((id) => sent.includes(id)).sort((a, b) => a - b)).toEqual(sent);
    expect(new Set(received).size).toBe(received.length);
    expect(await messagesIn(bo, channelId)).toEqual([]);
    expect(await topicsOf(bo, channelId)).toEqual([]);
  });

  test('Skips messages that no sweep has processed yet, since their summaries would be written afterwards', async () => {
    const { name } = await open({ message_retention_days: 2 });
    await keepAllFor(3);
    await run();
    const old = [await ada.send(name, 'x', 'old'), await ada.sendDirect([bo.userId], 'old')];
    service.advance(4 * DAY_MS);
    await expireMessages(service.services);
    for (const id of old) expect(await exists(id)).toBe(true);
    await run();
    for (const id of old) expect(await exists(id)).toBe(false);
  });

  test('Continues with the next sweep after it has deleted as many as allowed', async () => {
    const params = { message_retention_days: 2 };
    const [many, second, few] = [await open(params), await open(params), await open(params)];
    // With the note about a new channel, 999 in the first one, and one in each of the others.
    await sendAgain(service.services, [await ada.send(many.name, 'x', 'hello')], 997);
    const others = await messagesIn(ada, few.channelId);
    expect(others).toHaveLength(1);
    await run();
    service.advance(3 * DAY_MS);
    await sweep(service.services);
    for (const { channelId } of [many, second]) expect(await messagesIn(ada, channelId)).toEqual([]);
    expect(await messagesIn(ada, few.channelId)).toEqual(others);
    await sweep(service.services);
    expect(await messagesIn(ada, few.channelId)).toEqual([]);
  });

  test('Deletes nothing under settings that change meanwhile, and the next run uses the new ones at once', async () => {
    await keepAllFor(3);
    const { name, channelId } = await open({ message_retention_days: 2 });
    const direct = await ada.sendDirect([bo.userId], 'old');
    const posted = await ada.send(name, 'x', 'old');
    await run();
    service.advance(4 * DAY_MS);
    const changes = [
      [posted, () => edit(owner, channelId, { message_retention_days: 100 })],
      [direct, () => owner.patch('/realm', { description: 'changed meanwhile' })],
    ] as const;
    for (const [id, change] of changes) interrupt(service, { transact: writes(logKeys.entry(id)) }, change);
    await sweep(service.services);
    for (const id of [posted, direct]) expect(await exists(id)).toBe(true);
    await sweep(service.services);
    expect([await exists(posted), await exists(direct)]).toEqual([true, false]);
  });

  test('Deletes all old direct messages, even more than fit into one transaction or page of the log', async () => {
    await keepAllFor(3);
    const { name } = await open({ message_retention_days: 'unlimited' });
    const first = await ada.sendDirect([bo.userId], 'old');
    const ids = [first, ...(await sendAgain(service.services, [first], 150))];
    await sendAgain(service.services, [await ada.send(name, 'x', 'stays')], 150);
    ids.push(await ada.sendDirect([bo.userId], 'behind more entries than a page of the log has'));
    await run();
    service.advance(4 * DAY_MS);
    const young = await ada.sendDirect([bo.userId], 'new');
    await run();
    const { body } = await ada.get('/messages', { message_ids: [...ids, young] });
    expect(body.messages.map(({ id }: { id: number }) => id)).toEqual([young]);
  });

  test('Costs about five write units for each message', async () => {
    const { name } = await open({ message_retention_days: 2 });
    for (let n = 0; n < 30; n++) await ada.send(name, 'costs', 'x'.repeat(200));
    await run();
    service.advance(3 * DAY_MS);
    service.meter.reset();
    await sweep(service.services);
    expect(service.meter.write / 30).toBeGreaterThan(1);
    expect(service.meter.write / 30).toBeLessThan(6);
    // The sweep processes the latest writes once, and then there is nothing to do.
    await sweep(service.services);
    service.meter.reset();
    await sweep(service.services);
    expect(service.meter.write).toBe(0);
  });
});
