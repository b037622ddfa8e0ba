import { beforeAll, describe, expect, test } from 'vitest';
import { channelKeys } from '#shared/table/keys/channels.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { createChannel, createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { choose, drainTopicEvents, FOLLOWED, fetchData, INHERITED, MUTED, UNMUTED } from './topic-calls.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');

const knowsEmpty = { client_capabilities: { empty_topic_name: true } };
const at = expect.any(Number);
const kindsOf = (events: { type: string }[]) => events.map(({ type }) => type);
/** The service has no operation yet that renames; the test writes to the table. */
const rename = (channelId: number, name: string) =>
  service.services.table.write({ kind: 'update', key: channelKeys.channel(channelId), set: { name } });

describe('A change of a topic policy', () => {
  test('Goes to all queues of the user, in the new and the old form, and to no other user', async () => {
    const cy = await createUser(service, 'Cy');
    const { channelId, name } = await createChannel(service, [cy, bo]);
    const queues = await listenAll([cy, cy, bo, service.owner]);
    const from = Math.floor(service.services.clock.nowMs() / 1000);
    await choose(cy, [channelId, 'Lunch', MUTED]);
    const received = await Promise.all(queues.map(drainTopicEvents));
    const record = { stream_id: channelId, topic_name: 'Lunch', last_updated: at, visibility_policy: MUTED };
    const mine = [
      { type: 'user_topic', ...record },
      { type: 'muted_topics', muted_topics: [[name, 'Lunch', at]] },
    ];
    expect(received).toEqual([mine, mine, [], []]);
    const [change, list] = received[0] ?? [];
    expect(change?.last_updated).toBeGreaterThanOrEqual(from);
    expect(change?.last_updated).toBeLessThanOrEqual(from + 60);
    expect(list?.muted_topics[0][2]).toBe(change?.last_updated);
  });

  test('Sends no event and keeps the time if nothing changes', async () => {
    const cy = await createUser(service, 'Cy');
    const { channelId } = await createChannel(service, [cy]);
    await choose(cy, [channelId, 'x', MUTED]);
    const before = await fetchData(cy, ['user_topic']);
    const queue = await cy.listen();
    service.advance(5_000);
    await choose(cy, [channelId, 'X', MUTED], [channelId, 'never set', INHERITED]);
    expect(await drainTopicEvents(queue)).toEqual([]);
    expect((await fetchData(cy, ['user_topic'])).user_topics).toEqual(before.user_topics);
  });

  test('Has its time, the first spelling, and 0 without a policy', proves('set-topic-policy.8'), async () => {
    const cy = await createUser(service, 'Cy');
    const { channelId } = await createChannel(service, [cy]);
    await choose(cy, [channelId, 'Loud', MUTED]);
    const [before] = (await fetchData(cy, ['user_topic'])).user_topics;
    const queue = await cy.listen();
    service.advance(5_000);
    await choose(cy, [channelId, 'LOUD', INHERITED]);
    const [change, list] = await drainTopicEvents(queue);
    const removal = { stream_id: channelId, topic_name: 'Loud', visibility_policy: INHERITED };
    expect(change).toMatchObject(removal);
    expect(change?.last_updated).toBeGreaterThanOrEqual(before.last_updated + 5);
    expect(list).toEqual({ type: 'muted_topics', muted_topics: [] });
  });
});

describe('The topic events of a queue', () => {
  let channelId: number;
  beforeAll(async () => {
    ({ channelId } = await createChannel(service, [bo]));
  });

  test.each<[string[], string[]]>([
    [['user_topic'], ['user_topic']],
    [['muted_topics'], ['muted_topics']],
    [['muted_topics', 'user_topic'], ['user_topic']],
    [['message'], []],
  ])('Contain for %j the form %j', async (eventTypes, kinds) => {
    const queue = await bo.listen({ event_types: eventTypes });
    await choose(bo, [channelId, eventTypes.join(), FOLLOWED]);
    expect(kindsOf(await drainTopicEvents(queue))).toEqual(kinds);
  });

  test.each([
    ['general chat', {}],
    ['', knowsEmpty],
  ])('Contain %j as the empty topic with %j', async (shown, params: Params) => {
    const cy = await createUser(service, 'Cy');
    const { channelId, name } = await createChannel(service, [cy]);
    const queue = await cy.listen(params);
    await choose(cy, [channelId, '', MUTED]);
    const [change, list] = await drainTopicEvents(queue);
    expect(change?.topic_name).toBe(shown);
    expect(list?.muted_topics).toEqual([[name, shown, at]]);
  });
});

describe('The topic policies in register', () => {
  test('List policies by channel and topic, and muted topics in the old form', async () => {
    const cy = await createUser(service, 'Cy');
    const [first, second] = [await createChannel(service, [cy]), await createChannel(service, [cy])];
    await choose(
      cy,
      [second.channelId, 'a', UNMUTED],
      [first.channelId, 'b', MUTED],
      [first.channelId, 'A', MUTED],
    );
    await choose(cy, [second.channelId, '', MUTED], [first.channelId, 'gone', FOLLOWED]);
    await choose(cy, [first.channelId, 'gone', INHERITED]);
    const snapshot = await fetchData(cy, ['muted_topics'], knowsEmpty);
    expect(snapshot).not.toHaveProperty('user_topics');
    expect(snapshot.muted_topics).toEqual([
      [first.name, 'A', at],
      [first.name, 'b', at],
      [second.name, '', at],
    ]);
    const { user_topics } = await fetchData(cy, ['user_topic']);
    const record = (stream_id: number, topic_name: string, visibility_policy: number) => {
      return { stream_id, topic_name, last_updated: at, visibility_policy };
    };
    expect(user_topics).toEqual([
      record(first.channelId, 'A', MUTED),
      record(first.channelId, 'b', MUTED),
      record(second.channelId, 'general chat', MUTED),
      record(second.channelId, 'a', UNMUTED),
    ]);
    expect((await fetchData(cy, ['muted_topics'])).muted_topics[2][1]).toBe('general chat');
  });

  test('Leave the old form out if the new one is requested by name', async () => {
    const both = await fetchData(bo, ['muted_topics', 'user_topic']);
    expect(both).toHaveProperty('user_topics');
    expect(both).not.toHaveProperty('muted_topics');
    const { snapshot } = await bo.register();
    expect(snapshot).toHaveProperty('user_topics');
    expect(snapshot).toHaveProperty('muted_topics');
    const implied = (await bo.register({ event_types: ['user_topic', 'muted_topics'] })).snapshot;
    expect(implied).not.toHaveProperty('muted_topics');
  });

  test('Have the channel’s current name, but not if the user may not know it', async () => {
    const cy = await createUser(service, 'Cy');
    const open = await createChannel(service, [cy]);
    const closed = await createChannel(service, [ada, cy], { invite_only: true });
    await choose(cy, [open.channelId, 'x', MUTED], [closed.channelId, 'x', MUTED]);
    await cy.delete('/users/me/subscriptions', { subscriptions: [closed.name] });
    await rename(open.channelId, 'opened wide');
    await rename(closed.channelId, 'layoffs');
    const queue = await cy.listen();
    await choose(cy, [open.channelId, 'y', FOLLOWED]);
    const expected = [
      ['opened wide', 'x', at],
      [closed.name, 'x', at],
    ];
    expect((await fetchData(cy, ['muted_topics'])).muted_topics).toEqual(expected);
    expect((await drainTopicEvents(queue))[1]?.muted_topics).toEqual(expected);
    await rename(closed.channelId, closed.name);
    await ada.subscribe(closed.name, { principals: [cy.userId] });
    await rename(closed.channelId, 'layoffs');
    expect((await fetchData(cy, ['muted_topics'])).muted_topics).toContainEqual(['layoffs', 'x', at]);
  });
});

test('A channel that the user may join again has its current name', async () => {
  const cy = await createUser(service, 'Cy');
  const can_add_subscribers_group = { direct_members: [cy.userId], direct_subgroups: [] };
  const settings = { invite_only: true, can_add_subscribers_group };
  const { name, channelId } = await createChannel(service, [ada, cy], settings);
  await choose(cy, [channelId, 'x', MUTED]);
  await cy.delete('/users/me/subscriptions', { subscriptions: [name] });
  await rename(channelId, 'the same for some');
  const queue = await cy.listen({ event_types: ['muted_topics'] });
  await choose(cy, [(await createChannel(service, [cy])).channelId, 'y', FOLLOWED]);
  const expected = [['the same for some', 'x', at]];
  expect((await fetchData(cy, ['muted_topics'])).muted_topics).toEqual(expected);
  expect((await drainTopicEvents(queue)).at(-1)?.muted_topics).toEqual(expected);
});

describe('The count of unread messages', () => {
  const unreadOf = async (client: Client) =>
    (await fetchData(client, ['message', 'update_message_flags'])).unread_msgs;

  test('Excludes muted topics, which stay unread', proves('set-topic-policy.9'), async () => {
    const cy = await createUser(service, 'Cy');
    const { name, channelId } = await createChannel(service, [ada, cy]);
    const { count } = await unreadOf(cy);
    const quiet = [await ada.send(name, 'Quiet', '1'), await ada.send(name, 'quiet', '2')];
    await ada.send(name, 'heard', '3');
    await choose(cy, [channelId, 'QUIET', MUTED]);
    const unread = await unreadOf(cy);
    expect(unread.count).toBe(count + 1);
    const there = { stream_id: channelId, topic: 'quiet', unread_message_ids: quiet };
    expect(unread.streams).toContainEqual(there);
    await choose(cy, [channelId, 'quiet', INHERITED]);
    expect((await unreadOf(cy)).count).toBe(count + 3);
  });

  test(
    'Excludes muted channels, except for their followed topics',
    proves('set-topic-policy.10'),
    async () => {
      const cy = await createUser(service, 'Cy');
      const { name, channelId } = await createChannel(service, [ada, cy]);
      const key = channelKeys.subscription(cy.userId, channelId);
      await service.services.table.write({ kind: 'update', key, set: { isMuted: true } });
      const { count } = await unreadOf(cy);
      for (const topic of ['plain', 'unmuted', 'followed', 'muted']) await ada.send(name, topic, 'hello');
      expect((await unreadOf(cy)).count).toBe(count);
      await choose(cy, [channelId, 'Unmuted', UNMUTED], [channelId, 'Followed', FOLLOWED]);
      await choose(cy, [channelId, 'muted', MUTED]);
      expect((await unreadOf(cy)).count).toBe(count + 2);
    },
  );
});
