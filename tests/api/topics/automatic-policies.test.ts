import { beforeEach, describe, expect, test } from 'vitest';
import { runJob } from '#functions/workers/run-job.ts';
import { listJobs } from '#shared/store/log/jobs.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { holdJobs } from '#tests/harness/held-jobs.ts';
import { createChannel, createUser, createUsers, type TestChannel } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createBot } from '../bots/bots.ts';
import { createGroup, newName } from '../user-groups/group-calls.ts';
import { FOLLOWED, MUTED, preferencesOf, setPolicy, UNMUTED } from './topic-calls.ts';

const [BY_PARTICIPATING, BY_SENDING, BY_BEGINNING, NEVER] = [1, 2, 3, 4];

let room: TestChannel;
const service = await startTestService();
const [ada, bo] = await createUsers(service, 'Ada', 'Bo');
const guest = await createUser(service, 'Guest', 600);

beforeEach(async () => {
  room = await createChannel(service, [ada, bo, guest]);
  await wish(BY_BEGINNING, BY_SENDING);
  await settings(bo, { automatically_follow_topics_where_mentioned: true });
});

const settings = async (client: Client, values: Params) => {
  expect((await client.patch('/settings', values)).status).toBe(200);
};
const wish = (follow: number, unmute: number) =>
  settings(ada, {
    automatically_follow_topics_policy: follow,
    automatically_unmute_topics_in_muted_streams_policy: unmute,
  });
const send = async (sender: Client, topic: string, content = 'hi') =>
  (await sender.post('/messages', { type: 'channel', to: room.channelId, topic, content })).body;
const choose = (client: Client, topic: string, policy: number) =>
  setPolicy(client, room.channelId, topic, policy);
const muteChannel = (client: Client) => {
  const change = { stream_id: room.channelId, property: 'is_muted', value: true };
  return client.post('/users/me/subscriptions/properties', { subscription_data: [change] });
};
const policyOf = async (client: Client, topic: string): Promise<number | undefined> => {
  await service.settle();
  const all = await preferencesOf(client);
  return all.find(([channelId, name]) => channelId === room.channelId && name === topic)?.[2];
};
const followed = { automatic_new_visibility_policy: FOLLOWED };
const unmuted = { automatic_new_visibility_policy: UNMUTED };
const expectUnchanged = (body: object) => expect(body).not.toHaveProperty('automatic_new_visibility_policy');

describe('A user who sends a message', () => {
  test('Follows the topic that they start, with the reply and an event', async () => {
    const queue = await ada.listen({ event_types: ['user_topic'] });
    expect(await send(ada, 'new')).toMatchObject(followed);
    const change = { stream_id: room.channelId, topic_name: 'new', visibility_policy: FOLLOWED };
    expect(await queue.drain()).toMatchObject([change]);
    for (const body of [await send(ada, 'New'), await send(bo, 'new')]) expectUnchanged(body);
    expect(await policyOf(bo, 'new')).toBeUndefined();
  });

  /** The reply to starting a topic and to writing in another, and the stored policy of both. */
  const expectPolicies = async (choice: number, begun?: number, joined?: number) => {
    const [old, fresh] = [`old ${choice}`, `begun ${choice}`];
    await send(bo, old);
    expect((await send(ada, fresh)).automatic_new_visibility_policy, fresh).toBe(begun);
    expect((await send(ada, old)).automatic_new_visibility_policy, old).toBe(joined);
    expect([await policyOf(ada, fresh), await policyOf(ada, old)], fresh).toEqual([begun, joined]);
  };

  test('Follows the topic that they start or write in, as they chose', async () => {
    for (const [follow, begun, joined] of [
      [BY_PARTICIPATING, FOLLOWED, FOLLOWED],
      [BY_SENDING, FOLLOWED, FOLLOWED],
      [BY_BEGINNING, FOLLOWED, undefined],
      [NEVER, undefined, undefined],
    ] as const) {
      await wish(follow, NEVER);
      await expectPolicies(follow, begun, joined);
    }
  });

  test('Unmutes the topic that they start or write in, in a muted channel, as they chose', async () => {
    await muteChannel(ada);
    for (const [unmute, begun, joined] of [
      [BY_PARTICIPATING, UNMUTED, UNMUTED],
      [BY_SENDING, UNMUTED, UNMUTED],
      [BY_BEGINNING, UNMUTED, undefined],
      [NEVER, undefined, undefined],
    ] as const) {
      await wish(NEVER, unmute);
      await expectPolicies(unmute, begun, joined);
    }
  });

  test('Follows rather than unmutes, and never lowers a policy', async () => {
    await wish(BY_SENDING, BY_SENDING);
    await muteChannel(ada);
    await choose(ada, 'muted', MUTED);
    expect(await send(ada, 'muted')).toMatchObject(followed);
    await wish(NEVER, BY_SENDING);
    expectUnchanged(await send(ada, 'muted'));
    await choose(ada, 'quiet', MUTED);
    expect(await send(ada, 'quiet')).toMatchObject(unmuted);
  });

  test('Changes no policy as a bot or in a direct message', async () => {
    const bot = await createBot(ada);
    expectUnchanged(await send(bot, 'by a bot'));
    const direct = await ada.post('/messages', { type: 'direct', to: [bo.userId], content: 'x' });
    expectUnchanged(direct.body);
  });

  test('Has the same policy for a client that registers afterwards', async () => {
    await settings(guest, { automatically_follow_topics_policy: BY_SENDING });
    await expectConsistentSnapshot(service, [service.owner, ada, guest], async () => {
      await send(ada, 'equal');
      await send(guest, 'equal', `@**|${ada.userId}**`);
      await send(bo, 'equal', `@**|${guest.userId}**`);
    });
    expect(await policyOf(guest, 'equal')).toBe(FOLLOWED);
  });

  test('Starts with the policies that the organization chose for new users', async () => {
    const setDefault = (automatically_follow_topics_policy: number) =>
      service.owner.patch('/realm/user_settings_defaults', { automatically_follow_topics_policy });
    await setDefault(NEVER);
    const cy = await createUser(service, 'Cy');
    await cy.subscribe(room.name);
    expectUnchanged(await send(cy, 'of cy'));
    await settings(cy, { automatically_follow_topics_policy: BY_BEGINNING });
    expect(await send(cy, 'of cy too')).toMatchObject(followed);
    await setDefault(BY_BEGINNING);
  });
});

describe('A user who reacts', () => {
  const react = async (topic: string) => {
    const { id } = await send(bo, topic);
    expect((await ada.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })).status).toBe(200);
    return policyOf(ada, topic);
  };

  test('Follows the topic if they chose that for any participation', async () => {
    expect(await react('as usual')).toBeUndefined();
    await wish(BY_SENDING, BY_SENDING);
    expect(await react('by sending')).toBeUndefined();
    await wish(BY_PARTICIPATING, NEVER);
    expect(await react('by reacting')).toBe(FOLLOWED);
  });

  test('Unmutes it in a muted channel if they chose that', async () => {
    await muteChannel(ada);
    expect(await react('by sending')).toBeUndefined();
    await wish(NEVER, BY_PARTICIPATING);
    expect(await react('by reacting')).toBe(UNMUTED);
  });
});

describe('A user who is mentioned', () => {
  const reactivate = async (user: Client) => {
    expect((await service.owner.post(`/users/${user.userId}/reactivate`)).status).toBe(200);
    await service.settle();
    await service.renewKey(user);
  };
  const naming = ({ userId }: Client): string => `@**|${userId}**`;

  test('Follows the topic, with an event', async () => {
    const queue = await bo.listen({ event_types: ['user_topic'] });
    await send(ada, 'about bo', naming(bo));
    await service.settle();
    expect(await queue.drain()).toMatchObject([{ topic_name: 'about bo', visibility_policy: FOLLOWED }]);
  });

  test('Follows the topic by an edit too', async () => {
    const { id } = await send(ada, 'edited');
    await ada.patch(`/messages/${id}`, { content: naming(bo) });
    expect(await policyOf(bo, 'edited')).toBe(FOLLOWED);
    const moving = await send(ada, 'edited too');
    await ada.patch(`/messages/${moving.id}`, { content: naming(bo), topic: 'elsewhere' });
    const policies = [await policyOf(bo, 'edited too'), await policyOf(bo, 'elsewhere')];
    expect(policies).toEqual([undefined, FOLLOWED]);
  });

  test('Follows by mentioning themselves, also if the message itself has unmuted the topic', async () => {
    await settings(ada, { automatically_follow_topics_where_mentioned: true });
    await wish(NEVER, BY_SENDING);
    await muteChannel(ada);
    const queue = await ada.listen({ event_types: ['user_topic'] });
    await send(ada, 'own', naming(ada));
    expect(await policyOf(ada, 'own')).toBe(FOLLOWED);
    const changes = [{ visibility_policy: UNMUTED }, { visibility_policy: FOLLOWED }];
    expect(await queue.drain()).toMatchObject(changes);
    await settings(ada, { automatically_follow_topics_where_mentioned: false });
  });

  test('Does not follow a topic that they muted, or if they turned it off', async () => {
    await choose(bo, 'muted', MUTED);
    await send(ada, 'muted', naming(bo));
    expect(await policyOf(bo, 'muted')).toBe(MUTED);
    await settings(bo, { automatically_follow_topics_where_mentioned: false });
    await send(ada, 'unwanted', naming(bo));
    expect(await policyOf(bo, 'unwanted')).toBeUndefined();
  });

  test('Does not follow if they leave the channel or the organization before the job runs', async () => {
    const [leaver, gone, kept] = await createUsers(service, 'Leaver', 'Gone', 'Kept');
    for (const user of [leaver, gone, kept]) {
      await user.subscribe(room.name);
      await settings(user, { automatically_follow_topics_where_mentioned: true });
    }
    const release = holdJobs(service);
    await send(ada, 'late', [leaver, gone, kept].map(naming).join(' '));
    await leaver.delete('/users/me/subscriptions', { subscriptions: [room.name] });
    expect((await service.owner.delete(`/users/${gone.userId}`)).status).toBe(200);
    await release();
    expect(await policyOf(leaver, 'late')).toBeUndefined();
    expect(await policyOf(kept, 'late')).toBe(FOLLOWED);
    await reactivate(gone);
    expect(await policyOf(gone, 'late')).toBeUndefined();
  });

  test('Does not follow if they are deactivated while their subscriptions remain', async () => {
    const gone = await createUser(service, 'Gone');
    await gone.subscribe(room.name);
    const release = holdJobs(service);
    await send(ada, 'late', naming(gone));
    const { services } = service;
    const [job] = (await listJobs(services.table)).filter(({ type }) => type === 'follow-mentioned');
    expect((await service.owner.delete(`/users/${gone.userId}`)).status).toBe(200);
    await runJob(services, job!);
    await release();
    await reactivate(gone);
    expect(await policyOf(gone, 'late')).toBeUndefined();
  });

  test('Does not follow as a bot', async () => {
    const bot = await createBot(ada);
    await bot.subscribe(room.name);
    await send(ada, 'for a bot', `${naming(bot)} ${naming(bo)}`);
    expect(await policyOf(bo, 'for a bot')).toBe(FOLLOWED);
    expect(await policyOf(bot, 'for a bot')).toBeUndefined();
  });

  test('Does not follow if mentioned with a group, with everyone, silently or elsewhere', async () => {
    const name = newName('followers');
    await createGroup(ada, [bo], { name });
    await send(ada, 'others', `@*${name}* @**all** @_**|${bo.userId}**`);
    expect(await policyOf(bo, 'others')).toBeUndefined();
    const outsider = await createUser(service, 'Outsider');
    await send(ada, 'others', naming(outsider));
    expect(await policyOf(outsider, 'others')).toBeUndefined();
    await ada.sendDirect([bo.userId], naming(bo));
    expect(await policyOf(bo, '')).toBeUndefined();
  });
});
