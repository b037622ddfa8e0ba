import { describe, expect, test } from 'vitest';
import { announceFullMembers } from '#shared/actions/users/announce-full-members.ts';
import type { EventQueue, Params } from '#tests/harness/client.ts';
import { createChannel, createUser, createUsers, listenAll } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { expectConsistentSnapshot } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { kindsOf } from '../channels/channel-records.ts';
import { change, createGroup, deactivate, edit, people, succeeds } from './group-calls.ts';

const service = await startTestService();
const [ada, bo, cy] = await createUsers(service, 'Ada', 'Bo', 'Cy');
const guest = await createUser(service, 'Guest', 600);
const moderator = await createUser(service, 'Moderator', 300);

const settings = ['can_subscribe_group', 'can_add_subscribers_group', 'can_administer_channel_group'];
const hidden = (setting: string, groupId: number) =>
  createChannel(service, [ada, cy], { invite_only: true, [setting]: groupId });

const kindsNow = async (queue: EventQueue): Promise<string[]> => kindsOf(await queue.drain());

const onlyChannels = { event_types: ['stream', 'subscription'] };
const listenEach = () => listenAll([bo, moderator, guest, cy], onlyChannels);

/** Makes a change, and returns each person's events of channels. */
async function kindsAfter(queues: EventQueue[], groupId: number, params: Params): Promise<string[][]> {
  succeeds(await change(ada, groupId, params));
  return Promise.all(queues.map(kindsNow));
}

const APPEARS = ['stream/create', 'subscription/peer_add'];
const DISAPPEARS = ['stream/delete'];

describe('A private channel that a setting shows to a group', () => {
  const isForGuests = (setting: string) => setting === 'can_subscribe_group';

  test('Appears to users who join the group, and disappears for users who leave it', async () => {
    const observers = [service.owner, bo, cy, guest, moderator];
    const ids = [bo.userId, guest.userId, cy.userId];
    await expectConsistentSnapshot(service, observers, async () => {
      for (const setting of settings) {
        const [appears, disappears] = isForGuests(setting) ? [APPEARS, DISAPPEARS] : [[], []];
        const groupId = await createGroup(ada);
        await hidden(setting, groupId);
        const queues = await listenEach();
        expect(await kindsAfter(queues, groupId, { add: ids }), setting).toEqual([APPEARS, [], appears, []]);
        const gone = await kindsAfter(queues, groupId, { delete: ids });
        expect(gone, setting).toEqual([DISAPPEARS, [], disappears, []]);
      }
    });
  });

  test('Follows its subgroups', async () => {
    const observers = [service.owner, ada, bo, guest, moderator];
    await expectConsistentSnapshot(service, observers, async () => {
      for (const setting of settings) await followsGroupsBelow(setting);
    });
  });

  async function followsGroupsBelow(setting: string): Promise<void> {
    const [appears, disappears] = isForGuests(setting) ? [APPEARS, DISAPPEARS] : [[], []];
    const team = await createGroup(ada, [bo, guest]);
    const middle = await createGroup(ada);
    const top = await createGroup(ada, [], { subgroups: [middle] });
    await hidden(setting, top);
    const queues = await listenEach();
    const steps: [number, Params, string[][]][] = [
      [middle, { add_subgroups: [team, 4] }, [APPEARS, APPEARS, appears, []]],
      [middle, { delete_subgroups: [4], add: [bo.userId] }, [[], DISAPPEARS, [], []]],
      [middle, { delete_subgroups: [team] }, [[], [], disappears, []]],
      [team, { delete: [bo.userId] }, [[], [], [], []]],
      [middle, { delete: [bo.userId] }, [DISAPPEARS, [], [], []]],
    ];
    for (const [groupId, params, expected] of steps)
      expect(await kindsAfter(queues, groupId, params), `${setting} ${JSON.stringify(params)}`).toEqual(
        expected,
      );
  }
});

test('An archived private channel disappears with its group, and appears when the group is reactivated', async () => {
  const groupId = await createGroup(ada, [bo, guest]);
  const room = await createChannel(service, [ada, cy], { invite_only: true, can_subscribe_group: groupId });
  await service.owner.delete(`/streams/${room.channelId}`);
  const capabilities = { archived_channels: true, include_deactivated_groups: true };
  const queue = await bo.listen({ client_capabilities: capabilities, ...onlyChannels });
  const leave = async () => {
    succeeds(await deactivate(ada, groupId));
    expect(await kindsNow(queue)).toEqual(DISAPPEARS);
  };
  const comeBack = async () => {
    succeeds(await edit(ada, groupId, { deactivated: false }));
    expect(await kindsNow(queue)).toEqual(APPEARS);
  };
  await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], [leave, comeBack], capabilities);
});

test('A private channel appears when a group is reactivated that it named at its own unarchiving', async () => {
  const groupId = await createGroup(ada, [bo, guest]);
  const room = await createChannel(service, [ada, cy], { invite_only: true, can_subscribe_group: groupId });
  await service.owner.delete(`/streams/${room.channelId}`);
  succeeds(await deactivate(ada, groupId));
  succeeds(await service.owner.patch(`/streams/${room.channelId}`, { is_archived: false }));
  await service.settle();
  await expectConsistentSnapshot(service, [service.owner, ada, bo, guest], async () =>
    succeeds(await edit(ada, groupId, { deactivated: false })),
  );
  expect((await bo.get(`/streams/${room.channelId}`)).status).toBe(200);
});

describe('A private channel for full members', () => {
  const DAYS = 30;
  const wait = (days: number) => service.owner.patch('/realm', { waiting_period_threshold: days });

  test('Appears and disappears with the waiting period for new members', async () => {
    const team = await createGroup(ada, [], { subgroups: [5] });
    await createChannel(service, [ada, cy], { invite_only: true, can_subscribe_group: 5 });
    await createChannel(service, [ada, cy], { invite_only: true, can_administer_channel_group: team });
    const queue = await bo.listen(onlyChannels);
    const disappear = async () => {
      await wait(DAYS);
      expect(await kindsNow(queue)).toEqual([...DISAPPEARS, ...DISAPPEARS]);
    };
    const appear = async () => {
      await wait(0);
      expect(await kindsNow(queue)).toEqual([...APPEARS, ...APPEARS]);
    };
    await expectConsistentSnapshot(service, [service.owner, bo, cy, guest, moderator], [disappear, appear]);
  });

  test('Appears to members who have waited long enough', async () => {
    await wait(DAYS);
    await service.settle();
    const newcomer = await createUser(service, 'Newcomer');
    const MINUTE_MS = 60_000;
    service.advance(DAYS * 24 * 60 * MINUTE_MS - 61 * MINUTE_MS);
    await announceFullMembers(service.services);
    service.advance(55 * MINUTE_MS);
    const queue = await newcomer.listen(onlyChannels);
    await expectConsistentSnapshot(service, [service.owner, newcomer, guest], async () => {
      service.advance(7 * MINUTE_MS);
      await announceFullMembers(service.services);
    });
    expect(await kindsNow(queue)).toEqual([...APPEARS, ...APPEARS]);
    await wait(0);
  });
});

test('A user who knows the channel for another reason gets no event', async () => {
  const groupId = await createGroup(ada);
  const params = { can_subscribe_group: groupId, can_administer_channel_group: people(ada, bo) };
  await createChannel(service, [ada], { invite_only: true, ...params });
  const queue = await service.owner.listen(onlyChannels);
  const ids = [bo.userId, service.owner.userId];
  expect(await kindsAfter(await listenEach(), groupId, { add: ids })).toEqual([[], [], [], []]);
  expect(await kindsNow(queue)).toEqual([]);
});

test('A public channel appears to guests in its can_subscribe_group', async () => {
  await expectConsistentSnapshot(service, [guest, bo], async () => {
    const groupId = await createGroup(ada);
    await createChannel(service, [ada], { can_subscribe_group: groupId });
    const queues = await listenEach();
    const ids = [guest.userId, bo.userId];
    expect(await kindsAfter(queues, groupId, { add: ids })).toEqual([[], [], APPEARS, []]);
    expect(await kindsAfter(queues, groupId, { delete: [guest.userId] })).toEqual([[], [], DISAPPEARS, []]);
  });
});

test.each([true, false])('An archived channel appears to clients that support those: %s', async (knows) => {
  const write = async () => {
    const groupId = await createGroup(ada);
    const room = await hidden('can_subscribe_group', groupId);
    succeeds(await ada.delete(`/streams/${room.channelId}`));
    succeeds(await change(ada, groupId, { add: [bo.userId, guest.userId] }));
    succeeds(await change(ada, groupId, { delete: [bo.userId] }));
  };
  await expectConsistentSnapshot(service, [bo, guest], write, { archived_channels: knows });
});

test('Channels with large events appear all at once', async () => {
  // The event of a formula is much larger than its source.
  const description = '$$x$$ '.repeat(170);
  const groupId = await createGroup(ada);
  const subscriptions = Array.from({ length: 8 }, (_, n) => ({ name: `large ${n}`, description }));
  const params = { subscriptions, invite_only: true, can_subscribe_group: groupId };
  succeeds(await ada.post('/users/me/subscriptions', params));
  await service.settle();
  await expectConsistentSnapshot(service, [bo, guest], async () => {
    succeeds(await change(ada, groupId, { add: [bo.userId, guest.userId] }));
    succeeds(await change(ada, groupId, { delete: [guest.userId] }));
  });
});
