import { describe, expect, test } from 'vitest';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Client } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { startTestService } from '#tests/harness/service.ts';
import { unitsOf } from '#tests/harness/units.ts';
import { idsIn, list, newChannel, send } from './message-lists.ts';

const MUTED = 1;
const UNMUTED = 2;
const FOLLOWED = 3;

const service = await startTestService();
const ada = service.owner;

async function choose(reader: Client, channelId: number, topic: string, policy: number) {
  const params = { stream_id: channelId, topic, visibility_policy: policy };
  expect((await reader.post('/user_topics', params)).status).toBe(200);
}

/** A channel with a message in each of four topics, of which a reader mutes, unmutes and follows one each. */
async function fourTopics(reader: Client) {
  const { name, channelId } = await newChannel(ada);
  // The bot's note about the new channel is older than the reader's time there.
  await service.settle();
  await reader.subscribe(name);
  const sendTo = (topic: string) => send(ada, name, topic);
  const ids = {
    plain: await sendTo('plain'),
    muted: await sendTo('muted'),
    unmuted: await sendTo('unmuted'),
    followed: await sendTo('followed'),
  };
  await choose(reader, channelId, 'Muted', MUTED);
  await choose(reader, channelId, 'Unmuted', UNMUTED);
  await choose(reader, channelId, 'Followed', FOLLOWED);
  const find = (...terms: [string, string][]) => idsIn(reader, [['channel', name], ...terms]);
  return { channelId, ids, find, sendTo };
}

const muteChannel = ({ userId }: Client, channelId: number): Promise<void> =>
  service.services.table.write({
    kind: 'update',
    key: channelKeys.subscription(userId, channelId),
    set: { isMuted: true },
  });

describe('A narrow by muted and followed topics', () => {
  test('Finds and excludes messages by topic', async () => {
    const { ids, find } = await fourTopics(await service.createUser('Bo'));
    expect(await find(['is', 'followed'])).toEqual([ids.followed]);
    expect(await find(['is', 'muted'])).toEqual([ids.muted]);
    expect(await find(['in', 'home'])).toEqual([ids.plain, ids.unmuted, ids.followed]);
    expect(await find(['-in', 'home'])).toEqual([ids.muted]);
    expect(await find(['in', 'all'])).toEqual(Object.values(ids));
  });

  test('Follows a muted channel unless the topic has a policy of its own', async () => {
    const reader = await service.createUser('Bo');
    const { channelId, ids, find } = await fourTopics(reader);
    await muteChannel(reader, channelId);
    expect(await find(['is', 'followed'])).toEqual([ids.followed]);
    expect(await find(['is', 'muted'])).toEqual([ids.plain, ids.muted]);
    expect(await find(['in', 'home'])).toEqual([ids.unmuted, ids.followed]);
  });

  test('Uses the preferences of the caller only', async () => {
    const other = await service.createUser('Other');
    const { channelId } = await fourTopics(await service.createUser('Bo'));
    await choose(other, channelId, 'plain', MUTED);
    const narrow = [{ operator: 'channel', operand: channelId }];
    expect(await idsIn(other, [...narrow, ['is', 'followed']])).toEqual([]);
    expect(await idsIn(other, [...narrow, ['is', 'muted']])).toHaveLength(1);
  });

  test('Excludes messages of muted users, also direct ones', async () => {
    const [reader, muted] = [await service.createUser('Bo'), await service.createUser('Muted')];
    const { name } = await newChannel(ada, reader, muted);
    const heard = await send(ada, name, 'a');
    const unheard = [await send(muted, name, 'a'), await send(muted, [reader.userId], undefined)];
    expect((await reader.post(`/users/me/muted_users/${muted.userId}`)).status).toBe(200);
    const home = await idsIn(reader, [['in', 'home']]);
    expect(home).toContain(heard);
    for (const id of unheard) expect(home).not.toContain(id);
    expect(await idsIn(reader, [['-in', 'home']])).toEqual(unheard);
    expect(await idsIn(reader, [])).toEqual(expect.arrayContaining(unheard));
  });

  test('Decides the position of the first unread message', async () => {
    const reader = await service.createUser('Bo');
    const { channelId, ids, sendTo } = await fourTopics(reader);
    await choose(reader, channelId, 'plain', MUTED);
    const anchorOf = async (narrow: unknown): Promise<number> =>
      (await list(reader, { anchor: 'first_unread', num_before: 0, num_after: 1, narrow })).anchor;
    const notDirect = { operator: 'is', operand: 'dm', negated: true };
    expect(await anchorOf([notDirect])).toBe(ids.unmuted);
    expect(await anchorOf([{ operator: 'channel', operand: channelId }])).toBe(ids.plain);
    await muteChannel(reader, channelId);
    await sendTo('plain');
    expect(await anchorOf([notDirect])).toBe(ids.unmuted);
  });

  test('Skips muted users for the first unread message, unless a channel is named', async () => {
    const [reader, muted] = [await service.createUser('Bo'), await service.createUser('Muted')];
    const { name, channelId } = await newChannel(ada, reader, muted);
    await reader.post('/mark_all_as_read');
    const unheard = await send(muted, name, 'a');
    const heard = await send(ada, name, 'a');
    // Their earlier messages become read by a job, which comes later.
    const release = holdJobs(service);
    expect((await reader.post(`/users/me/muted_users/${muted.userId}`)).status).toBe(200);
    const anchorOf = async (narrow: unknown): Promise<number> =>
      (await list(reader, { anchor: 'first_unread', num_before: 0, num_after: 1, narrow })).anchor;
    expect(await anchorOf([])).toBe(heard);
    expect(await anchorOf([{ operator: 'channel', operand: channelId }])).toBe(unheard);
    await release();
  });

  test('Costs nothing if no term needs the preferences', async () => {
    const reader = await service.createUser('Bo');
    const { ids } = await fourTopics(reader);
    const costOf = async (narrow: unknown): Promise<number> => {
      return (await unitsOf(service, () => list(reader, { message_ids: [ids.plain], narrow }))).read;
    };
    const plain = await costOf([['topic', 'plain']]);
    expect(
      await costOf([
        ['topic', 'plain'],
        ['in', 'home'],
      ]),
    ).toBe(plain + 2);
  });
});
