import { beforeEach, describe, expect, test } from 'vitest';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { logKeys } from '#shared/table/keys/log.ts';
import { allIdsOfTopic, fillTopic, move, read, topicsOf } from '#tests/api/messages/message-changes.ts';
import type { Client, ReceivedEvent } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { interrupt, reads, writes } from '#tests/harness/interruption.ts';
import { sendAgain } from '#tests/harness/log.ts';
import { archiveChannel, createChannel, createUsers, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { unitsOf } from '#tests/harness/units.ts';

let channel: TestChannel;

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
beforeEach(async () => {
  channel = await createChannel(service, [ada, bo]);
});

/** More messages than one transaction moves. */
const MANY = 90;
const WHOLE = { propagate_mode: 'change_all' };
const fill = (topic: string, count: number) => fillTopic(ada, channel, topic, count);
const idsOf = (topic: string, place = channel) => allIdsOfTopic(bo, place, topic);

describe('Moving many messages', () => {
  async function fillAtOnce(topic: string, count: number): Promise<number[]> {
    const [first = 0] = await fill(topic, 1);
    const others = await sendAgain(service.services, [first], count - 2);
    return [first, ...others, ...(await fill(topic, 1))];
  }

  test('Continues after the reply until all are moved', async () => {
    const ids = await fillAtOnce('many', 90);
    await expectConsistentSnapshot(service, [ada, bo], async () => {
      await move(ada, ids[0] ?? 0, { topic: 'there', ...WHOLE });
      await service.settle();
    });
    expect(await idsOf('there')).toEqual(ids);
    expect(await idsOf('many')).toEqual([]);
  });

  test('Leaves messages before the first one, and messages that arrive after the reply', async () => {
    const ids = await fillAtOnce('many', 92);
    const release = holdJobs(service);
    const changes = { topic: 'there', propagate_mode: 'change_later' };
    expect((await move(ada, ids[2] ?? 0, changes)).status).toBe(200);
    const [late] = await fill('many', 1);
    await release();
    expect(await idsOf('there')).toEqual(ids.slice(2));
    expect(await idsOf('many')).toEqual([...ids.slice(0, 2), late]);
  });

  test('Continues if one of them is edited, and a second move too soon answers "try again"', async () => {
    const ids = await fillAtOnce('many', 90);
    const release = holdJobs(service);
    const changes = { topic: 'there', propagate_mode: 'change_all', content: 'new' };
    expect((await move(ada, ids[89] ?? 0, changes)).status).toBe(200);
    const [first, last] = [logKeys.entry(ids[36] ?? 0), logKeys.entry(ids[89] ?? 0)];
    interrupt(service, { transact: writes(first) }, () => service.advance(16_000));
    const early = await move(ada, ids[0] ?? 0, { topic: 'back', ...WHOLE });
    expect([early.status, early.body.code]).toEqual([429, 'RATE_LIMIT_HIT']);
    const rest = interrupt(service, { transact: writes(last) }, () => undefined);
    await release();
    expect(rest.hasHappened()).toBe(true);
    expect(await idsOf('there')).toEqual(ids);
    expect((await bo.get(`/messages/${ids[89]}`)).body.message.content).toBe('<p>new</p>');
  });

  test('Sends nothing of a channel that is archived meanwhile to clients that do not support those', async () => {
    const ids = await fillAtOnce('many', 90);
    const release = holdJobs(service);
    await move(ada, ids[0] ?? 0, { topic: 'there', ...WHOLE });
    await archiveChannel(service, channel);
    const event_types = ['update_message'];
    const modern = await bo.register({ event_types, client_capabilities: { archived_channels: true } });
    const old = await bo.register({ event_types });
    await release();
    expect(await modern.drain()).toMatchObject([{ message_ids: ids.slice(-15) }]);
    expect(await old.drain()).toEqual([]);
  });

  test('Costs a few units for each', async () => {
    const ids = await fillAtOnce('many', 50);
    const moveAll = () => move(ada, ids[0] ?? 0, { topic: 'there', ...WHOLE });
    expect((await unitsOf(service, moveAll)).write / ids.length).toBeLessThan(7);
  });
});

describe('Moving a whole topic', () => {
  test('Moves a message that arrives meanwhile', async () => {
    const ids = await fill('a', 2);
    const summary = channelKeys.topic(channel.channelId, 'a');
    const { hasHappened } = interrupt(service, { find: reads(summary) }, async () => {
      ids.push(...(await fill('a', 1)));
    });
    expect((await move(ada, ids[0] ?? 0, { topic: 'b', ...WHOLE })).status).toBe(200);
    expect(hasHappened()).toBe(true);
    expect(await idsOf('b')).toEqual(ids);
    expect(await topicsOf(ada, channel)).toEqual([{ name: 'b', max_id: ids[2] }]);
  });

  test('Leaves nothing of the topic, even if a late summary names a message that has left it', async () => {
    const ids = await fill('a', 3);
    const [first = 0, , last = 0] = ids;
    await move(ada, last, { topic: 'elsewhere' });
    const key = channelKeys.topic(channel.channelId, 'a');
    const late = { topic: 'a', maxMessageId: last };
    await service.services.table.write({ kind: 'update', key, set: late });
    expect((await move(ada, first, { topic: 'b', ...WHOLE })).status).toBe(200);
    expect(await idsOf('b')).toEqual(ids.slice(0, 2));
    expect(await topicsOf(ada, channel)).toEqual([
      { name: 'elsewhere', max_id: last },
      { name: 'b', max_id: ids[1] },
    ]);
  });
});

const prefer = (client: Client, topic: string, policy: number) =>
  client.post('/user_topics', { stream_id: channel.channelId, topic, visibility_policy: policy });
const preferences = async (client: Client, { channelId } = channel): Promise<[string, number][]> =>
  (await client.register({ fetch_event_types: ['user_topic'] })).snapshot.user_topics
    .filter(({ stream_id }: ReceivedEvent) => stream_id === channelId)
    .map(({ topic_name, visibility_policy }: ReceivedEvent) => [topic_name, visibility_policy]);

describe('A topic whose messages are still being moved', () => {
  test('Moves back as a whole', async () => {
    const ids = await fill('plan', MANY);
    await prefer(bo, 'plan', 3);
    const release = holdJobs(service);
    await move(ada, ids[0] ?? 0, { topic: 'idea', ...WHOLE });
    await move(ada, ids[0] ?? 0, { topic: 'plan', ...WHOLE });
    await release();
    expect(await idsOf('plan')).toEqual(ids);
    expect(await topicsOf(bo, channel)).toHaveLength(1);
    expect(await preferences(bo)).toEqual([['plan', 3]]);
  });

  test('Moves back by a message that has not left yet', async () => {
    const there = await createChannel(service, [ada, bo]);
    const ids = await fill('plan', MANY);
    const release = holdJobs(service);
    await move(service.owner, ids[0] ?? 0, { stream_id: there.channelId, ...WHOLE });
    const { status } = await move(service.owner, ids.at(-1) ?? 0, { stream_id: channel.channelId, ...WHOLE });
    expect(status).toBe(200);
    await release();
    expect(await idsOf('plan')).toEqual(ids);
    expect(await idsOf('plan', there)).toEqual([]);
  });

  test('Moves to a third name as a whole, for all clients', async () => {
    const ids = await fill('plan', MANY);
    await expectConsistentSnapshot(service, [ada, bo], async () => {
      const release = holdJobs(service);
      await move(ada, ids[0] ?? 0, { topic: 'idea', ...WHOLE });
      await move(ada, ids[0] ?? 0, { topic: 'dream', ...WHOLE });
      await release();
    });
    expect(await idsOf('dream')).toEqual(ids);
    expect(await topicsOf(bo, channel)).toMatchObject([{ name: 'dream', max_id: ids.at(-1) }]);
  });

  test('Can be deleted as a whole', async () => {
    const ids = await fill('plan', MANY);
    const release = holdJobs(service);
    await move(service.owner, ids[0] ?? 0, { topic: 'idea', ...WHOLE });
    const path = `/streams/${channel.channelId}/delete_topic`;
    const { body } = await service.owner.post(path, { topic_name: 'idea' });
    expect(body.complete).toBe(true);
    await release();
    expect([await idsOf('plan'), await idsOf('idea')]).toEqual([[], []]);
    expect(await topicsOf(bo, channel)).toEqual([]);
  });
});

describe('A late job of a moved topic', () => {
  test('Leaves the policy that a person chose since', async () => {
    const [id = 0] = await fill('plan', 2);
    await prefer(bo, 'plan', 3);
    const release = holdJobs(service);
    await move(ada, id, { topic: 'idea', ...WHOLE });
    await prefer(bo, 'idea', 1);
    await release();
    expect(await preferences(bo)).toEqual([['idea', 1]]);
  });

  test('Leaves no note in a topic that is empty again', async () => {
    const [id = 0] = await fill('plan', 2);
    const release = holdJobs(service);
    await ada.patch(`/messages/${id}`, { topic: '✔ plan', ...WHOLE });
    await ada.patch(`/messages/${id}`, { topic: 'plan', ...WHOLE });
    await release();
    expect((await topicsOf(bo, channel)).map(({ name }: { name: string }) => name)).toEqual(['plan']);
  });
});

test('A late job of a mention leaves the policy that its reader chose since', async () => {
  const release = holdJobs(service);
  await ada.send(channel.name, 'plan', `@**Bo|${bo.userId}** look`);
  await prefer(bo, 'plan', 2);
  await release();
  expect(await preferences(bo)).toEqual([['plan', 2]]);
});

describe('The policies of a moved topic', () => {
  test('Move with it if all of it moves', async () => {
    const [id = 0] = await fill('a', 2);
    await prefer(ada, 'a', 1);
    await prefer(bo, 'a', 3);
    await expectConsistentSnapshot(service, [ada, bo], async () => {
      await move(ada, id, { topic: 'b', ...WHOLE });
      await service.settle();
    });
    expect([await preferences(ada), await preferences(bo)]).toEqual([[['b', 1]], [['b', 3]]]);
  });

  test('Stay if a part of it moves, and the most attentive one wins if topics merge', async () => {
    const [first = 0] = await fill('a', 2);
    await fill('b', 1);
    await prefer(ada, 'a', 3);
    await prefer(ada, 'b', 1);
    await move(ada, first, { topic: 'b' });
    await service.settle();
    expect(await preferences(ada)).toEqual([
      ['a', 3],
      ['b', 1],
    ]);
    await move(ada, first + 1, { topic: 'b', propagate_mode: 'change_all' });
    await service.settle();
    expect(await preferences(ada)).toEqual([['b', 3]]);
  });

  test('Stay if only the letter case of its name changes', async () => {
    const [id = 0] = await fill('a', 2);
    await prefer(ada, 'a', 1);
    await expectConsistentSnapshot(service, [ada, bo], async () => {
      await move(ada, id, { topic: 'A', ...WHOLE });
      await service.settle();
    });
    expect(await preferences(ada)).toEqual([['a', 1]]);
  });

  test('Move to a private channel for its subscribers, and end for others', async () => {
    const few = await createChannel(service, [bo], { invite_only: true });
    const id = await ada.send(channel.channelId, 'secret', 'hello');
    for (const reader of [ada, bo]) await prefer(reader, 'secret', 3);
    await service.owner.subscribe(channel.name);
    await bo.subscribe(few.name, { principals: [service.owner.userId] });
    expect((await move(service.owner, id, { stream_id: few.channelId, ...WHOLE })).status).toBe(200);
    await service.settle();
    expect(await preferences(bo, few)).toEqual([['secret', 3]]);
    const left = [await preferences(bo), await preferences(ada), await preferences(ada, few)];
    expect(left).toEqual([[], [], []]);
  });
});

describe('The notes about a move', () => {
  const contents = async (topic: string, place = channel) => {
    const ids = await allIdsOfTopic(service.owner, place, topic);
    const messages = await Promise.all(ids.map((id) => read(ada, id)));
    return messages.map(({ raw_content }) => raw_content);
  };

  test('Appear in the new topic, and in the old one on request', async () => {
    const [first = 0, second = 0] = await fill('a', 3);
    await ada.patch(`/messages/${first}`, { topic: 'b', send_notification_to_old_thread: true });
    await service.settle();
    const link = (topic: string) => `#**${channel.name}>${topic}**`;
    const who = `@_**Ada|${ada.userId}**`;
    expect(await contents('b')).toEqual(['a 0', `A message was moved here from ${link('a')} by ${who}.`]);
    const note = (await contents('a')).at(-1);
    expect(note).toBe(`A message was moved from this topic to ${link('b')} by ${who}.`);
    await ada.patch(`/messages/${second}`, { topic: 'c', propagate_mode: 'change_all' });
    await service.settle();
    expect((await contents('c')).at(-1)).toBe(`This topic was moved here from ${link('a')} by ${who}.`);
    expect(await contents('a')).toEqual([]);
  });

  test('Appear in the old topic on request, even if it is otherwise empty', async () => {
    const [first = 0] = await fill('a', 2);
    await move(ada, first, { topic: 'b', ...WHOLE, send_notification_to_old_thread: true });
    await service.settle();
    const note = `This topic was moved to #**${channel.name}>b** by @_**Ada|${ada.userId}**.`;
    expect(await contents('a')).toEqual([note]);
  });

  test('Link to the topics of a private channel in that channel', async () => {
    const few = await createChannel(service, [ada], { invite_only: true });
    const id = await ada.send(few.channelId, 'a', 'hello');
    await ada.patch(`/messages/${id}`, { topic: 'b', send_notification_to_new_thread: true });
    await service.settle();
    const [, note = 0] = await allIdsOfTopic(ada, few, 'b');
    const { message } = await read(ada, note);
    expect(message.sender_full_name).toBe('Notification Bot');
    const link = `<a class="stream-topic" data-stream-id="${few.channelId}" href="[^"]+">#${few.name} &gt; a</a>`;
    expect(message.content).toMatch(new RegExp(`here from ${link} by`));
  });
});
