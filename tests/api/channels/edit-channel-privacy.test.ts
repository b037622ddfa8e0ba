import { describe, expect, test } from 'vitest';
import { systemGroups } from '#shared/domain/user-groups/group-setting.ts';
import { change as changeMembers, createGroup, people } from '#tests/api/user-groups/group-calls.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { edit, join, leave, newName, openChannel } from './channel-calls.ts';
import {
  drainKinds,
  expectUnknownChannel,
  findByName,
  membersOf,
  messagesIn,
  recordOf,
} from './channel-records.ts';

const service = await startTestService({ webPublicChannels: true });
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const guest = await createUser(service, 'Guest', 600);
const outsider = await createUser(service, 'Outsider', 600);

const { owner } = service;
const open = (params: Params = {}) => openChannel(service, [ada, bo, guest], params);
const change = async (channelId: number, params: Params): Promise<void> => {
  expect((await edit(ada, channelId, params)).status).toBe(200);
};
const everyone = (): Client[] => [owner, ada, bo, cy, guest, outsider];
const listenToChannels = (...clients: Client[]) =>
  listenAll(clients, { event_types: ['stream', 'subscription'] });

describe('A private channel that becomes public', () => {
  test('Returns to former subscribers as an ended subscription, and to others as a channel', async () => {
    const { name, channelId } = await open();
    await leave(bo, [name]);
    await change(channelId, { is_private: true });
    await expectConsistentSnapshot(service, [bo, cy, ada], () => change(channelId, { is_private: false }));
    const listsWith = async (client: Client) => {
      const { snapshot } = await client.register({ fetch_event_types: ['subscription'] });
      const lists = ['subscriptions', 'unsubscribed', 'never_subscribed'];
      return lists.filter((list) => findByName(snapshot[list], name));
    };
    expect([await listsWith(bo), await listsWith(cy)]).toEqual([['unsubscribed'], ['never_subscribed']]);
  });

  test('Returns to a former subscriber in the same way by membership in a group', async () => {
    const { name, channelId } = await open();
    const group = await createGroup(owner, [bo, cy]);
    const ids = [bo.userId, cy.userId];
    await change(channelId, { is_private: true, can_subscribe_group: { new: group } });
    await leave(bo, [name]);
    await changeMembers(owner, group, { delete: ids });
    await expectUnknownChannel(bo, channelId);
    await expectConsistentSnapshot(service, [bo, cy], () => changeMembers(owner, group, { add: ids }));
    const { snapshot } = await bo.register({ fetch_event_types: ['subscription'] });
    expect(findByName(snapshot.unsubscribed, name)).toMatchObject({ stream_id: channelId });
  });
});

describe('A public channel that becomes private', () => {
  test('Disappears for people outside it, and sends the change to its subscribers', async () => {
    const { channelId } = await open();
    await expectConsistentSnapshot(service, everyone(), async () => {
      const queues = await listenToChannels(...everyone());
      await change(channelId, { is_private: true });
      const kinds = await Promise.all(queues.map(drainKinds));
      const updated = ['stream/update'];
      expect(kinds).toEqual([updated, updated, updated, ['stream/delete'], updated, []]);
    });
    await expectUnknownChannel(cy, channelId);
    const privacy = { invite_only: true, history_public_to_subscribers: false };
    expect(await recordOf(bo, channelId)).toMatchObject(privacy);
  });

  test('Sends the privacy in one event', async () => {
    const { name, channelId } = await open();
    const queue = await bo.listen({ event_types: ['stream'] });
    await change(channelId, { is_private: true, history_public_to_subscribers: true });
    const about = { type: 'stream', op: 'update', id: expect.any(Number), stream_id: channelId, name };
    const privacy = { history_public_to_subscribers: true, is_web_public: false };
    expect(await queue.drain()).toEqual([{ ...about, property: 'invite_only', value: true, ...privacy }]);
  });

  test('Can be read by no other user afterwards, not even by its earlier groups', async () => {
    const { name, channelId } = await open();
    const messageId = await ada.send(name, 'x', 'was public');
    expect(await messagesIn(cy, channelId)).toContain(messageId);
    await change(channelId, { is_private: true });
    expectRefusal(await cy.get(`/messages/${messageId}`), 'Invalid message(s)');
    expect(await messagesIn(bo, channelId)).toContain(messageId);
  });
});

describe('A private channel that becomes public', () => {
  test('Becomes known to members together with its subscribers, and stays hidden from other guests', async () => {
    const { channelId } = await open({ invite_only: true });
    await expectConsistentSnapshot(service, everyone(), async () => {
      const queues = await listenToChannels(...everyone());
      await change(channelId, { is_private: false, description: 'Now open' });
      const kinds = await Promise.all(queues.map(drainKinds));
      const [twice, found] = [
        ['stream/update', 'stream/update'],
        ['stream/create', 'subscription/peer_add'],
      ];
      expect(kinds).toEqual([twice, twice, twice, found, twice, []]);
    });
    const { subscribers } = (await membersOf(cy, channelId)).body;
    expect(subscribers).toEqual([ada.userId, bo.userId, guest.userId]);
  });

  test('Opens its history, but queues of all public messages never receive earlier private messages', async () => {
    const { name, channelId } = await open({ invite_only: true });
    const queue = await cy.listen({ all_public_streams: true, event_types: ['message'] });
    const secret = await ada.send(name, 'x', 'private then');
    await change(channelId, { is_private: false });
    const after = await ada.send(name, 'x', 'public now');
    const ids = (await queue.drain()).map(({ message }) => message.id);
    expect(ids).toContain(after);
    expect(ids).not.toContain(secret);
    expect(await messagesIn(cy, channelId)).toEqual(expect.arrayContaining([secret, after]));
    expect(await messagesIn(outsider, channelId)).toEqual([]);
  });
});

describe('The groups of a private channel', () => {
  const settings = ['can_add_subscribers_group', 'can_administer_channel_group', 'can_subscribe_group'];

  test('Make it known to a user who joins one, and hide it from a user who leaves one', async () => {
    const channels: number[] = [];
    for (const _ of settings) channels.push((await open({ invite_only: true })).channelId);
    const queues = await listenToChannels(cy, outsider, bo);
    const expectKinds = async (group: object, kinds: string[]) => {
      for (const [index, setting] of settings.entries()) {
        await change(channels[index] as number, { [setting]: { new: group } });
        await service.settle();
        const ofGuest = setting === 'can_subscribe_group' ? kinds : [];
        const expected = [kinds, ofGuest, ['stream/update']];
        expect(await Promise.all(queues.map(drainKinds)), setting).toEqual(expected);
      }
    };
    await expectConsistentSnapshot(service, everyone(), [
      () => expectKinds(people(ada, cy, outsider), ['stream/create', 'subscription/peer_add']),
      () => expectKinds(people(ada), ['stream/delete']),
    ]);
  });
});

describe.each([
  { setting: 'can_create_public_channel_group', isPrivate: false },
  { setting: 'can_create_private_channel_group', isPrivate: true },
])('A user who is not in $setting', ({ setting, isPrivate }) => {
  const allow = (group: number) => owner.patch('/realm', { [setting]: { new: group } });
  const create = (invite_only: boolean) => join(ada, [newName()], { invite_only });

  test('Cannot create such a channel, nor turn one of the other kind into it', async () => {
    const { channelId } = await open({ invite_only: !isPrivate });
    const convert = () => edit(ada, channelId, { is_private: isPrivate });
    await allow(systemGroups.administrators);
    expectRefusal(await create(isPrivate), 'Insufficient permission');
    expectRefusal(await convert(), 'Insufficient permission');
    expect((await create(!isPrivate)).status).toBe(200);
    expect((await recordOf(ada, channelId)).invite_only).toBe(!isPrivate);
    await allow(systemGroups.members);
    expect((await create(isPrivate)).status).toBe(200);
    expect((await convert()).status).toBe(200);
  });
});

describe('A web-public channel', () => {
  const WEB = { is_web_public: true };
  const DISABLED = 'Web-public channels are not enabled.';
  const setSpectators = (client: Client, enable_spectator_access: boolean) =>
    client.patch('/realm', { enable_spectator_access });

  test('Can be created by a group if server and organization allow it', proves('subscribe.16'), async () => {
    const { channelId } = await open();
    expectRefusal(await edit(owner, channelId, WEB), DISABLED);
    await setSpectators(owner, true);
    const name = newName();
    for (const reply of [await edit(ada, channelId, WEB), await join(ada, [name], WEB)])
      expectRefusal(reply, 'Insufficient permission');
    expectRefusal(await join(owner, [name], { ...WEB, invite_only: true }), 'Invalid parameters');
    await expectConsistentSnapshot(service, everyone(), [
      async () => {
        expect((await edit(owner, channelId, WEB)).status).toBe(200);
        expect((await join(owner, [name], WEB)).status).toBe(200);
        expect((await recordOf(outsider, channelId)).is_web_public).toBe(true);
      },
      () => edit(owner, channelId, { is_private: true }),
    ]);
    await expectUnknownChannel(outsider, channelId);
    expect((await join(outsider, [name])).status).toBe(200);
    const { snapshot } = await outsider.register({ fetch_event_types: ['realm'] });
    expect(snapshot.server_web_public_streams_enabled).toBe(true);
    await setSpectators(owner, false);
  });

  test('Cannot be made if the operator forbids it, whatever the organization allows', async () => {
    const closed = (await startTestService()).owner;
    const channelId = await closed.subscribe('ours');
    await setSpectators(closed, true);
    for (const reply of [await edit(closed, channelId, WEB), await join(closed, ['new'], WEB)])
      expectRefusal(reply, DISABLED);
  });
});

describe('Simultaneous edits of privacy', () => {
  test('Fail in one of two requests if a channel becomes private and a default channel', async () => {
    for (let round = 0; round < 3; round++) {
      const channelId = await owner.subscribe(newName());
      await Promise.all([
        edit(owner, channelId, { is_private: true }),
        owner.post('/default_streams', { stream_id: channelId }),
      ]);
      const { snapshot } = await ada.register({ fetch_event_types: ['default_streams'] });
      const { invite_only } = await recordOf(owner, channelId);
      expect(invite_only && snapshot.realm_default_streams.includes(channelId)).toBe(false);
    }
  });

  test('Leave clients equal to a new snapshot if people subscribe while the channel becomes private', async () => {
    const { name, channelId } = await open();
    await expectConsistentSnapshot(service, [owner, ada, bo], async () => {
      await Promise.all([
        change(channelId, { is_private: true }),
        join(cy, [name]),
        join(ada, [name], { principals: [outsider.userId] }),
        leave(bo, [name]),
        change(channelId, { description: 'busy' }),
      ]);
      await join(ada, [name], { principals: [bo.userId] });
    });
  });
});
