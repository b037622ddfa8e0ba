import { describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweep.ts';
import type { Client } from '#tests/harness/client.ts';
import { expectRefusal } from '#tests/harness/refusal.ts';
import { createUser, createUsers } from '#tests/harness/scene.ts';
import { startTestService } from '#tests/harness/service.ts';
import { applyEvents } from '#tests/harness/snapshot/apply-events.ts';
import { expectConsistentSnapshot, REQUEST } from '#tests/harness/snapshot/snapshot-consistency.ts';
import { createGroup, deactivate, drainGroups, succeeds } from './group-calls.ts';

const DAY_MS = 24 * 3600 * 1000;

const service = await startTestService();
const [ada] = await createUsers(service, 'Ada');
const administrator = await createUser(service, 'Administrator', 200);
const moderator = await createUser(service, 'Moderator', 300);
const guest = await createUser(service, 'Guest', 600);

// biome-ignore lint/suspicious/noExplicitAny: a client sees JSON of any shape
type Records = any[];
const listGroups = async (client: Client, params = {}): Promise<Records> =>
  (await client.get('/user_groups', params)).body.user_groups;
const ofRegister = async (client: Client, capabilities = {}): Promise<Records> =>
  (await client.register({ client_capabilities: capabilities })).snapshot.realm_user_groups;
const fullMembers = async (): Promise<number[]> =>
  (await listGroups(ada)).find(({ name }) => name === 'role:fullmembers').members;

describe('The system groups', () => {
  test('Come first, with each user in the group of their role', async () => {
    const owner = service.owner.userId;
    const expected = [
      ['role:nobody', 'Nobody', [], []],
      ['role:owners', 'Owners of this organization', [owner], []],
      [
        'role:administrators',
        'Administrators of this organization, including owners',
        [administrator.userId],
        [2],
      ],
      [
        'role:moderators',
        'Moderators of this organization, including administrators',
        [moderator.userId],
        [3],
      ],
      [
        'role:fullmembers',
        'Members of this organization, not including new accounts and guests',
        [ada.userId],
        [4],
      ],
      ['role:members', 'Members of this organization, not including guests', [ada.userId], [5]],
      ['role:everyone', 'Everyone in this organization, including guests', [guest.userId], [6]],
      ['role:internet', 'Everyone on the Internet', [], [7]],
    ];
    const system = (await listGroups(ada)).filter(({ is_system_group }) => is_system_group);
    expect(system).toEqual(
      expected.map(([name, description, members, subgroups], index) => ({
        id: index + 1,
        name,
        description,
        members,
        direct_subgroup_ids: subgroups,
        is_system_group: true,
        creator_id: null,
        date_created: expect.any(Number),
        deactivated: false,
        can_add_members_group: 1,
        can_join_group: 1,
        can_leave_group: 1,
        can_manage_group: 1,
        can_mention_group: 1,
        can_remove_members_group: 1,
      })),
    );
  });

  test('Contain neither deactivated users nor the bots of the service', async () => {
    const [gone] = await createUsers(service, 'Gone');
    const membersNow = async () => (await listGroups(ada)).flatMap(({ members }) => members);
    expect(await membersNow()).toContain(gone.userId);
    await service.deactivate(gone);
    for (const id of [gone.userId, 1, 2, 3]) expect(await membersNow()).not.toContain(id);
  });

  test('Contain a new account, and every user is notified', async () => {
    await expectConsistentSnapshot(service, [service.owner, ada, guest], async () => {
      const queue = await guest.register();
      const fresh = await service.createUser('Fresh');
      const about = { type: 'user_group', op: 'add_members', user_ids: [fresh.userId] };
      expect(await drainGroups(queue)).toEqual([
        { ...about, group_id: 5 },
        { ...about, group_id: 6 },
      ]);
    });
  });
});

describe('The group of full members', () => {
  test('Contains members after the waiting period, and every user is notified then', async () => {
    const before = await fullMembers();
    const week = { idle_queue_timeout: 7 * 24 * 3600 };
    const observer = await guest.register({ ...REQUEST, ...week });
    succeeds(await service.owner.patch('/realm', { waiting_period_threshold: 3 }));
    expect(await fullMembers()).toEqual([]);
    const queue = await ada.register(week);
    const fresh = await service.createUser('Newcomer');
    expect(await drainGroups(queue)).toEqual([
      { type: 'user_group', op: 'add_members', group_id: 6, user_ids: [fresh.userId] },
    ]);
    service.advance(2 * DAY_MS);
    await sweep(service.services);
    expect(await fullMembers()).toEqual([]);
    expect(await drainGroups(queue)).toEqual([]);
    service.advance(DAY_MS + 2 * 3600 * 1000);
    await Promise.all([sweep(service.services), sweep(service.services)]);
    const after = [...before, fresh.userId];
    expect(await fullMembers()).toEqual(after);
    expect(await drainGroups(queue)).toEqual([
      { type: 'user_group', op: 'add_members', group_id: 5, user_ids: after },
    ]);
    await service.createUser('Later');
    succeeds(await service.owner.patch('/realm', { waiting_period_threshold: 0 }));
    const replayed = applyEvents(observer.snapshot, await observer.drain());
    expect(replayed.realm_user_groups).toEqual(await ofRegister(guest));
  });
});

describe('Deactivated groups', () => {
  test('Appear on request, and in register for clients that support them', async () => {
    const [gone, there] = [await createGroup(ada), await createGroup(ada)];
    succeeds(await deactivate(ada, gone));
    const idsOf = (groups: Records): number[] => groups.map(({ id }) => id);
    for (const groups of [
      await listGroups(ada),
      await listGroups(ada, { include_deactivated_groups: false }),
      await ofRegister(guest),
    ]) {
      expect(idsOf(groups)).toContain(there);
      expect(idsOf(groups)).not.toContain(gone);
    }
    const all = await listGroups(ada, { include_deactivated_groups: true });
    expect(idsOf(all)).toEqual([...idsOf(all)].sort((a, b) => a - b));
    expect(all.find(({ id }) => id === gone).deactivated).toBe(true);
    expect(await ofRegister(ada, { include_deactivated_groups: true })).toEqual(all);
  });
});

describe('The right to list groups', () => {
  test('Belongs to everyone except guests, who get groups from register', async () => {
    expectRefusal(await guest.get('/user_groups'), 'Must be an organization member', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expect(await ofRegister(guest)).toEqual(await listGroups(ada));
  });
});
