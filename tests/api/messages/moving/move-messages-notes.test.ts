import { beforeEach, describe, expect, test } from 'vitest';
import { roles } from '#shared/domain/users/user.ts';
import { allIdsOfTopic, fillTopic, move } from '#tests/api/messages/message-changes.ts';
import type { Client } from '#tests/harness/client.ts';
import { createChannel, createUser, createUsers, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';

let channel: TestChannel;

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', roles.guest);
beforeEach(async () => {
  channel = await createChannel(service, [ada, bo, guest]);
});

const fill = (topic: string, count: number) => fillTopic(ada, channel, topic, count);
const idsOfTopic = (client: Client, topic: string, place = channel) => allIdsOfTopic(client, place, topic);

describe('The policies of a moved topic', () => {
  const prefer = (client: Client, topic: string, policy: number) =>
    client.post('/user_topics', { stream_id: channel.channelId, topic, visibility_policy: policy });
  const wishes = async (client: Client) => {
    const { user_topics: all } = (await client.register({ fetch_event_types: ['user_topic'] })).snapshot;
    return all
      .filter((one: { stream_id: number }) => one.stream_id === channel.channelId)
      .map((one: { topic_name: string; visibility_policy: number }) => [
        one.topic_name,
        one.visibility_policy,
      ]);
  };

  test('Move with it if all of it moves', async () => {
    const [id = 0] = await fill('a', 2);
    await prefer(ada, 'a', 1);
    await prefer(bo, 'a', 3);
    await expectConsistentSnapshot(service, [ada, bo], async () => {
      await move(ada, id, { topic: 'b', propagate_mode: 'change_all' });
      await service.settle();
    });
    expect([await wishes(ada), await wishes(bo)]).toEqual([[['b', 1]], [['b', 3]]]);
  });

  test('Stay if a part of it moves, and the most attentive one wins if topics merge', async () => {
    const [first = 0] = await fill('a', 2);
    await fill('b', 1);
    await prefer(ada, 'a', 3);
    await prefer(ada, 'b', 1);
    await move(ada, first, { topic: 'b' });
    await service.settle();
    expect(await wishes(ada)).toEqual([
      ['a', 3],
      ['b', 1],
    ]);
    await move(ada, first + 1, { topic: 'b', propagate_mode: 'change_all' });
    await service.settle();
    expect(await wishes(ada)).toEqual([['b', 3]]);
  });

  test('Stay if only the letter case of its name changes', async () => {
    const [id = 0] = await fill('a', 2);
    await prefer(ada, 'a', 1);
    await expectConsistentSnapshot(service, [ada, bo], async () => {
      await move(ada, id, { topic: 'A', propagate_mode: 'change_all' });
      await service.settle();
    });
    expect(await wishes(ada)).toEqual([['a', 1]]);
  });

  test('Move to a private channel for its subscribers, and end for others', async () => {
    const few = await createChannel(service, [bo], { invite_only: true });
    const id = await ada.send(channel.channelId, 'secret', 'hello');
    await prefer(ada, 'secret', 3);
    await prefer(bo, 'secret', 3);
    await service.owner.subscribe(channel.name);
    await bo.subscribe(few.name, { principals: [service.owner.userId] });
    const { status } = await service.owner.patch(`/messages/${id}`, {
      stream_id: few.channelId,
      propagate_mode: 'change_all',
    });
    expect(status).toBe(200);
    await service.settle();
    const all = async (client: Client) =>
      (await client.register({ fetch_event_types: ['user_topic'] })).snapshot.user_topics.filter(
        ({ topic_name }: { topic_name: string }) => topic_name === 'secret',
      );
    expect(await all(ada)).toEqual([]);
    expect(await all(bo)).toMatchObject([{ stream_id: few.channelId, visibility_policy: 3 }]);
  });
});

describe('The notes about a move', () => {
  const contents = async (topic: string, place = channel) => {
    const ids = await idsOfTopic(service.owner, topic, place);
    const messages = await Promise.all(
      ids.map((id) => ada.get(`/messages/${id}`, { apply_markdown: false })),
    );
    return messages.map(({ body }) => body.message.content);
  };

  test('Appear in the new topic, and in the old one on request', async () => {
    const [first = 0, second = 0] = await fill('a', 3);
    await ada.patch(`/messages/${first}`, { topic: 'b', send_notification_to_old_thread: true });
    await service.settle();
    const link = (topic: string) => `#**${channel.name}>${topic}**`;
    const who = `@_**Ada|${ada.userId}**`;
    expect(await contents('b')).toEqual(['a 0', `A message was moved here from ${link('a')} by ${who}.`]);
    expect((await contents('a')).at(-1)).toBe(
      `A message was moved from this topic to ${link('b')} by ${who}.`,
    );
    await ada.patch(`/messages/${second}`, { topic: 'c', propagate_mode: 'change_all' });
    await service.settle();
    expect((await contents('c')).at(-1)).toBe(`This topic was moved here from ${link('a')} by ${who}.`);
    expect(await contents('a')).toEqual([]);
  });

  test('Appear in the old topic on request, even if it is otherwise empty', async () => {
    const [first = 0] = await fill('a', 2);
    const params = { topic: 'b', propagate_mode: 'change_all', send_notification_to_old_thread: true };
    await ada.patch(`/messages/${first}`, params);
    await service.settle();
    expect(await contents('a')).toEqual([
      `This topic was moved to #**${channel.name}>b** by @_**Ada|${ada.userId}**.`,
    ]);
  });

  test('Link to the topics of a private channel in that channel', async () => {
    const few = await createChannel(service, [ada], { invite_only: true });
    const id = await ada.send(few.channelId, 'a', 'hello');
    await ada.patch(`/messages/${id}`, { topic: 'b', send_notification_to_new_thread: true });
    await service.settle();
    const note = (await idsOfTopic(ada, 'b', few)).at(-1);
    const { message } = (await ada.get(`/messages/${note}`)).body;
    expect(message.sender_full_name).toBe('Notification Bot');
    expect(message.content).toMatch(
      new RegExp(
        `here from <a class="stream-topic" data-stream-id="${few.channelId}" href="[^"]+">#${few.name} &gt; a</a> by`,
      ),
    );
  });
});
