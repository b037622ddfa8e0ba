import { describe, expect, test } from 'vitest';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createChannel, createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { join, leave } from './channel-calls.ts';
import { recordOf } from './channel-records.ts';

const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

const getTopics = (client: Client, channelId: number | string, params: Params = {}) =>
  client.get(`/users/me/${channelId}/topics`, params);
const topicsOf = async (client: Client, channelId: number, params: Params = {}) =>
  (await getTopics(client, channelId, params)).body.topics;
const namesOf = async (client: Client, channelId: number): Promise<string[]> =>
  (await topicsOf(client, channelId)).map(({ name }: { name: string }) => name);
const BO = { principals: [bo.userId] };

/** A channel whose note about its creation is sent already. */
async function open(params: Params = {}): Promise<{ name: string; channelId: number; noteId: number }> {
  const channel = await createChannel(service, [ada], params);
  return { ...channel, noteId: (await recordOf(ada, channel.channelId)).first_message_id };
}

describe('The topics of a channel', () => {
  test('Have the id of their newest message, and the newest topic comes first', async () => {
    const { name, channelId, noteId } = await open();
    await ada.send(name, 'lunch', 'one');
    const plan = await ada.send(name, 'plan', 'two');
    const lunch = await ada.send(name, 'lunch', 'three');
    expect(await topicsOf(bo, channelId)).toEqual([
      { name: 'lunch', max_id: lunch },
      { name: 'plan', max_id: plan },
      { name: 'channel events', max_id: noteId },
    ]);
  });

  test('Count as one if they differ in letter case, spelled as in the newest message', async () => {
    const { name, channelId } = await open();
    await ada.send(name, 'Café', 'one');
    const id = await ada.send(name, 'CAFÉ', 'two');
    const topics: { name: string }[] = await topicsOf(ada, channelId);
    const same = topics.filter((topic) => topic.name.toLowerCase() === 'café');
    expect(same).toEqual([{ name: 'CAFÉ', max_id: id }]);
  });

  test('Have a display name if empty, unless the client knows empty topics', async () => {
    const { name, channelId } = await open();
    const max_id = await ada.send(name, '', 'one');
    expect((await topicsOf(ada, channelId))[0]).toEqual({ name: 'general chat', max_id });
    const params = { allow_empty_topic_name: true };
    expect((await topicsOf(ada, channelId, params))[0]).toEqual({ name: '', max_id });
  });
});

describe('A private channel', () => {
  test('Lists its topics to subscribers only, not even to administrators', async () => {
    const { name, channelId } = await open({ invite_only: true });
    const max_id = await ada.send(name, 'plan', 'one');
    expect((await topicsOf(ada, channelId))[0]).toEqual({ name: 'plan', max_id });
    for (const client of [bo, guest, service.owner])
      expectRefusal(await getTopics(client, channelId), 'Invalid channel ID');
  });

  test('With protected history lists only topics of the newcomer’s subscriptions', async () => {
    const { name, channelId } = await open({ invite_only: true });
    await ada.send(name, 'old', 'one');
    await join(ada, [name], BO);
    const shared = await ada.send(name, 'shared', 'two');
    await leave(bo, [name]);
    expectRefusal(await getTopics(bo, channelId), 'Invalid channel ID');
    await ada.send(name, 'shared', 'three');
    await ada.send(name, 'absent', 'four');
    await join(ada, [name], BO);
    const back = await ada.send(name, 'back', 'five');
    expect(await topicsOf(bo, channelId)).toEqual([
      { name: 'back', max_id: back },
      { name: 'shared', max_id: shared },
    ]);
    const later = await ada.send(name, 'shared', 'six');
    await leave(bo, [name]);
    await ada.send(name, 'shared', 'seven');
    await join(ada, [name], BO);
    expect(await topicsOf(bo, channelId)).toEqual([
      { name: 'shared', max_id: later },
      { name: 'back', max_id: back },
    ]);
  });

  test('With protected history lists moved topics to people who were subscribed at that time', async () => {
    const from = await open({ invite_only: true });
    const to = await open({ invite_only: true });
    await join(ada, [to.name], BO);
    const id = await ada.send(from.name, 'old', 'one');
    await ada.send(to.name, 'busy', 'two');
    const settled = await ada.send(from.name, 'Busy', 'three');
    const newest = await ada.send(to.name, 'busy', 'four');
    await join(ada, [to.name], { principals: [guest.userId] });
    await ada.send(to.name, 'newer', 'five');
    const everyone = { can_move_messages_between_channels_group: { new: 5 } };
    expect((await service.owner.patch('/realm', everyone)).status).toBe(200);
    const quietly = { send_notification_to_new_thread: false, propagate_mode: 'change_all' };
    for (const messageId of [id, settled]) {
      const reply = await ada.patch(`/messages/${messageId}`, { stream_id: to.channelId, ...quietly });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    }
    await join(ada, [to.name], { principals: [service.owner.userId] });
    const topicsFor = async (client: Client) => {
      const topics: { name: string }[] = await topicsOf(client, to.channelId);
      return topics.filter(({ name }) => name !== 'channel events');
    };
    const old = { name: 'old', max_id: id };
    const [ofBo, ofGuest] = [
      { name: 'busy', max_id: newest },
      { name: 'Busy', max_id: settled },
    ];
    expect(await topicsFor(bo)).toMatchObject([{ name: 'newer' }, ofBo, old]);
    expect(await topicsFor(guest)).toMatchObject([{ name: 'newer' }, ofGuest, old]);
    expect(await topicsFor(service.owner)).toEqual([]);
    const mark = (client: Client) =>
      client.post('/mark_topic_as_read', { stream_id: to.channelId, topic_name: 'old' });
    expect((await mark(guest)).status).toBe(200);
    expectRefusal(await mark(service.owner), "No such topic 'old'");
  });

  test('With protected history costs its topics, and one query for each topic of an earlier period', async () => {
    const { name, channelId } = await open({ invite_only: true });
    for (let n = 0; n < 30; n++) await ada.send(name, `topic ${n % 5}`, 'word '.repeat(100));
    await join(ada, [name], BO);
    const costOf = async (count: number): Promise<number> => {
      await service.settle();
      service.meter.reset();
      expect(await topicsOf(bo, channelId)).toHaveLength(count);
      return service.meter.read;
    };
    await ada.send(name, 'topic 0', 'since');
    await ada.send(name, 'topic 1', 'since');
    const first = await costOf(2);
    expect(first).toBeLessThanOrEqual(4);
    await leave(bo, [name]);
    await join(ada, [name], BO);
    expect(await costOf(2)).toBeLessThanOrEqual(first + 2);
  });

  test('With shared history lists all topics to newcomers', async () => {
    const { name, channelId } = await open({ invite_only: true, history_public_to_subscribers: true });
    await ada.send(name, 'old', 'one');
    await join(ada, [name], BO);
    expect(await namesOf(bo, channelId)).toEqual(['old', 'channel events']);
  });
});

test('A guest lists topics of their channels, older ones of public channels included', async () => {
  const { name, channelId } = await open();
  await ada.send(name, 'old', 'one');
  expectRefusal(await getTopics(guest, channelId), 'Invalid channel ID');
  await join(ada, [name], { principals: [guest.userId] });
  expect(await namesOf(guest, channelId)).toEqual(['old', 'channel events']);
});
