import { describe, expect, test } from 'vitest';
import { systemGroups } from '#shared/domain/user-groups/group-setting.ts';
import { proves } from '#tests/conformance/proves.ts';
import type { Client, Params } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { drainKinds, join, newName } from './channel-calls.ts';

const service = await startTestService({ webPublicChannels: true });
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const guest = await createUser(service, 'Guest', 600);
const outsider = await createUser(service, 'Outsider', 600);

async function open(params: Params = {}) {
  const name = newName();
  const channelId = await ada.subscribe(name, params);
  await service.settle();
  await join(ada, [name], { principals: [bo.userId, guest.userId], send_new_subscription_messages: false });
  return { name, channelId };
}
const edit = async (channelId: number, params: Params): Promise<void> => {
  expect((await ada.patch(`/streams/${channelId}`, params)).status).toBe(200);
};
const everyone = (): Client[] => [service.owner, ada, bo, cy, guest, outsider];
const readable = async (client: Client, channelId: number): Promise<number[]> => {
  const narrow = [{ operator: 'channel', operand: channelId }];
  const { body } = await client.get('/messages', { anchor: 'oldest', num_before: 0, num_after: 50, narrow });
  return (body.messages ?? []).map(({ id }: { id: number }) => id);
};

describe('A private channel that becomes public', () => {
  test('Returns to former subscribers as an ended subscription, and to others as a channel', async () => {
    const { name, channelId } = await open();
    expect((await bo.delete('/users/me/subscriptions', { subscriptions: [name] })).status).toBe(200);
    await edit(channelId, { is_private: true });
    const types = { fetch_event_types: ['subscription'], all_public_streams: false };
    await expectConsistentSnapshot(service, [bo, cy, ada], () => edit(channelId, { is_private: false }));
    const idsOf = (records: { stream_id: number }[]) => records.map(({ stream_id }) => stream_id);
    const [former, stranger] = await Promise.all([bo, cy].map((client) => client.register(types)));
    expect(idsOf(former!.snapshot.unsubscribed)).toContain(channelId);
    expect(idsOf(former!.snapshot.never_subscribed)).not.toContain(channelId);
    expect(idsOf(stranger!.snapshot.never_subscribed)).toContain(channelId);
  });

  test('Returns to a former subscriber in the same way by membership in a group', async () => {
    const { name, channelId } = await open();
    const group = { name: `readers of ${channelId}`, description: '', members: [bo.userId, cy.userId] };
    const { group_id } = (await service.owner.post('/user_groups/create', group)).body;
    await edit(channelId, { is_private: true, can_subscribe_group: { new: group_id } });
    expect((await bo.delete('/users/me/subscriptions', { subscriptions: [name] })).status).toBe(200);
    const members = (change: Params) => service.owner.post(`/user_groups/${group_id}/members`, change);
    expect((await members({ delete: [bo.userId, cy.userId] })).status).toBe(200);
    expectRefusal(await bo.get(`/streams/${channelId}`), 'Invalid channel ID');
    await expectConsistentSnapshot(service, [bo, cy], async () => {
      expect((await members({ add: [bo.userId, cy.userId] })).status).toBe(200);
    });
    const { snapshot } = await bo.register({ fetch_event_types: ['subscription'] });
    expect(snapshot.unsubscribed).toContainEqual(expect.objectContaining({ stream_id: channelId }));
  });
});

describe('A public channel that becomes private', () => {
  test('Disappears for people outside it, and sends the change to its subscribers', async () => {
    const { channelId } = await open();
    await expectConsistentSnapshot(service, everyone(), async () => {
      const queues = await Promise.all(
        everyone().map((client) => client.listen({ event_types: ['stream', 'subscription'] })),
      );
      await edit(channelId, { is_private: true });
      const kinds = await Promise.all(queues.map(drainKinds));
      const updated = ['stream/update'];
      expect(kinds).toEqual([updated, updated, updated, ['stream/delete'], updated, []]);
    });
    expectRefusal(await cy.get(`/streams/${channelId}`), 'Invalid channel ID');
    expect((await bo.get(`/streams/${channelId}`)).body.stream).toMatchObject({
      invite_only: true,
      history_public_to_subscribers: false,
    });
  });

  test('Sends the privacy in one event', async () => {
    const { name, channelId } = await open();
    const queue = await bo.listen({ event_types: ['stream'] });
    await edit(channelId, { is_private: true, history_public_to_subscribers: true });
    expect(await queue.drain()).toEqual([
      {
        type: 'stream',
        op: 'update',
        id: expect.any(Number),
        stream_id: channelId,
        name,
        property: 'invite_only',
        value: true,
        history_public_to_subscribers: true,
        is_web_public: false,
      },
    ]);
  });

  test('Can be read by no other user afterwards, not even by its earlier groups', async () => {
    const { name, channelId } = await open();
    const messageId = await ada.send(name, 'x', 'was public');
    expect(await readable(cy, channelId)).toContain(messageId);
    await edit(channelId, { is_private: true });
    expectRefusal(await cy.get(`/messages/${messageId}`), 'Invalid message(s)');
    expect(await readable(bo, channelId)).toContain(messageId);
  });
});

describe('A private channel that becomes public', () => {
  test('Becomes known to members together with its subscribers, and stays hidden from other guests', async () => {
    const { channelId } = await open({ invite_only: true });
    await expectConsistentSnapshot(service, everyone(), async () => {
      const queues = await Promise.all(
        everyone().map((client) => client.listen({ event_types: ['stream', 'subscription'] })),
      );
      await edit(channelId, { is_private: false, description: 'Now open' });
      const updatedTwice = ['stream/update', 'stream/update'];
      expect(await Promise.all(queues.map(drainKinds))).toEqual([
        updatedTwice,
        updatedTwice,
        updatedTwice,
        ['stream/create', 'subscription/peer_add'],
        updatedTwice,
        [],
      ]);
    });
    expect((await cy.get(`/streams/${channelId}/members`)).body.subscribers).toEqual([
      ada.userId,
      bo.userId,
      guest.userId,
    ]);
  });

  test('Opens its history, but queues of all public messages never receive earlier private messages', async () => {
    const { name, channelId } = await open({ invite_only: true });
    const queue = await cy.listen({ all_public_streams: true, event_types: ['message'] });
    const secret = await ada.send(name, 'x', 'private then');
    await edit(channelId, { is_private: false });
    const after = await ada.send(name, 'x', 'public now');
    const ids = (await queue.drain()).map(({ message }) => message.id);
    expect(ids).toContain(after);
    expect(ids).not.toContain(secret);
    expect(await readable(cy, channelId)).toEqual(expect.arrayContaining([secret, after]));
    expect(await readable(outsider, channelId)).toEqual([]);
  });
});

describe('The groups of a private channel', () => {
  const settings = ['can_add_subscribers_group', 'can_administer_channel_group', 'can_subscribe_group'];

  test('Make it known to a user who joins one, and hide it from a user who leaves one', async () => {
    const keeps = { direct_members: [ada.userId], direct_subgroups: [] };
    const gives = { direct_members: [ada.userId, cy.userId, outsider.userId], direct_subgroups: [] };
    const channels: number[] = [];
    for (const _ of settings) channels.push((await open({ invite_only: true })).channelId);
    const queues = await Promise.all(
      [cy, outsider, bo].map((client) => client.listen({ event_types: ['stream', 'subscription'] })),
    );
    const expectTold = async (group: object, expectedKinds: (setting: string) => string[][]) => {
      for (const [index, setting] of settings.entries()) {
        await edit(channels[index] as number, { [setting]: { new: group } });
        await service.settle();
        expect(await Promise.all(queues.map(drainKinds)), setting).toEqual(expectedKinds(setting));
      }
    };
    const found = ['stream/create', 'subscription/peer_add'];
    const isForGuests = (setting: string) => setting === 'can_subscribe_group';
    const lost = ['stream/delete'];
    await expectConsistentSnapshot(service, everyone(), [
      () => expectTold(gives, (setting) => [found, isForGuests(setting) ? found : [], ['stream/update']]),
      () => expectTold(keeps, (setting) => [lost, isForGuests(setting) ? lost : [], ['stream/update']]),
    ]);
  });
});

describe.each([
  { setting: 'can_create_public_channel_group', isPrivate: false },
  { setting: 'can_create_private_channel_group', isPrivate: true },
])('A user who is not in $setting', ({ setting, isPrivate }) => {
  const allow = (group: number) => service.owner.patch('/realm', { [setting]: { new: group } });
  const create = (invite_only: boolean) =>
    ada.post('/users/me/subscriptions', { subscriptions: [{ name: newName() }], invite_only });

  test('Cannot create such a channel, nor turn one of the other kind into it', async () => {
    const { channelId } = await open({ invite_only: !isPrivate });
    const convert = () => ada.patch(`/streams/${channelId}`, { is_private: isPrivate });
    expect((await allow(systemGroups.administrators)).status).toBe(200);
    expectRefusal(await create(isPrivate), 'Insufficient permission');
    expectRefusal(await convert(), 'Insufficient permission');
    expect((await create(!isPrivate)).status).toBe(200);
    expect((await ada.get(`/streams/${channelId}`)).body.stream.invite_only).toBe(!isPrivate);
    expect((await allow(systemGroups.members)).status).toBe(200);
    expect((await create(isPrivate)).status).toBe(200);
    expect((await convert()).status).toBe(200);
  });
});

describe('A web-public channel', () => {
  const setSpectators = async (isOn: boolean): Promise<void> => {
    const { status } = await service.owner.patch('/realm', { enable_spectator_access: isOn });
    expect(status).toBe(200);
  };

  test(
    'Can be created if server and organization allow it, by the group of the organization',
    proves('subscribe.16'),
    async () => {
      const { channelId } = await open();
      const asOwner = (params: Params) => service.owner.patch(`/streams/${channelId}`, params);
      expectRefusal(await asOwner({ is_web_public: true }), 'Web-public channels are not enabled.');
      await setSpectators(true);
      expectRefusal(
        await ada.patch(`/streams/${channelId}`, { is_web_public: true }),
        'Insufficient permission',
      );
      const name = newName();
      const created = { subscriptions: [{ name }], is_web_public: true };
      expectRefusal(await ada.post('/users/me/subscriptions', created), 'Insufficient permission');
      expectRefusal(
        await service.owner.post('/users/me/subscriptions', { ...created, invite_only: true }),
        'Invalid parameters',
      );
      await expectConsistentSnapshot(service, everyone(), [
        async () => {
          expect((await asOwner({ is_web_public: true })).status).toBe(200);
          expect((await service.owner.post('/users/me/subscriptions', created)).status).toBe(200);
          expect((await outsider.get(`/streams/${channelId}`)).body.stream.is_web_public).toBe(true);
        },
        () => asOwner({ is_private: true }),
      ]);
      expectRefusal(await outsider.get(`/streams/${channelId}`), 'Invalid channel ID');
      expect((await join(outsider, [name])).status).toBe(200);
      expect(
        (await outsider.register({ fetch_event_types: ['realm'] })).snapshot
          .server_web_public_streams_enabled,
      ).toBe(true);
      await setSpectators(false);
    },
  );
});

test('Cannot be made if the operator forbids it, whatever the organization allows', async () => {
  const closed = await startTestService();
  const { owner } = closed;
  const channelId = await owner.subscribe('ours');
  expect((await owner.patch('/realm', { enable_spectator_access: true })).status).toBe(200);
  const created = { subscriptions: [{ name: 'new' }], is_web_public: true };
  for (const reply of [
    await owner.patch(`/streams/${channelId}`, { is_web_public: true }),
    await owner.post('/users/me/subscriptions', created),
  ])
    expectRefusal(reply, 'Web-public channels are not enabled.');
  await closed.stop();
});

describe('Simultaneous edits of privacy', () => {
  test('Fail in one of two requests if a channel becomes private and a default channel', async () => {
    for (let round = 0; round < 3; round++) {
      const channelId = await service.owner.subscribe(newName());
      await Promise.all([
        service.owner.patch(`/streams/${channelId}`, { is_private: true }),
        service.owner.post('/default_streams', { stream_id: channelId }),
      ]);
      const { snapshot } = await ada.register({ fetch_event_types: ['default_streams'] });
      const { stream } = (await service.owner.get(`/streams/${channelId}`)).body;
      expect(stream.invite_only && snapshot.realm_default_streams.includes(channelId)).toBe(false);
    }
  });

  test('Leave clients equal to a new snapshot if people subscribe while the channel becomes private', async () => {
    const { name, channelId } = await open();
    await expectConsistentSnapshot(service, [service.owner, ada, bo], async () => {
      await Promise.all([
        edit(channelId, { is_private: true }),
        join(cy, [name]),
        join(ada, [name], { principals: [outsider.userId] }),
        bo.delete('/users/me/subscriptions', { subscriptions: [name] }),
        edit(channelId, { description: 'busy' }),
      ]);
      await join(ada, [name], { principals: [bo.userId] });
    });
  });
});
